"""A conversation with the assistant, whose model is the script, by plain calls."""

import json
import uuid
from typing import Any

from tests.support.journals import numbered
from yarrow.protocol.caller import Caller
from yarrow.runs.submit_run import submit_run
from yarrow.worker import execute_run


class Chat:
    """A user's conversation; `key` is the latest run's."""

    def __init__(self, locale: str = "zh-CN", user: str = "alice") -> None:
        self.caller = Caller(user, locale, "Asia/Shanghai")
        self.thread = str(uuid.uuid4())
        self.count = 0
        self.key = ""

    def ask(self, text: str) -> list[dict[str, Any]]:
        """The events of the run that answers."""
        self.count += 1
        message = {"id": f"m{self.count}", "role": "user", "content": text}
        body = {"threadId": self.thread, "runId": f"r{self.count}", "messages": [message], "state": {}}
        body |= {"tools": [], "context": [], "forwardedProps": {"runtime_mode": "chat"}}
        self.key = submit_run(json.dumps(body).encode(), self.caller, "assistant").run.key
        execute_run.work(self.key)
        return [json.loads(line) for _, line in numbered(self.key)]
