"""What tools of packages may see of the run that calls them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from itertools import islice
from typing import Any

from yarrow.formats import json_text
from yarrow.settings import settings
from yarrow.store import runs, sessions
from yarrow.store.runner import kept_once


@dataclass(frozen=True)
class StoredRun:
    """A `ToolRun` of the table."""

    run_key: str
    thread_id: str

    @cached_property
    def _run(self) -> runs.Run:
        return runs.must_read(self.run_key)

    @property
    def locale(self) -> str | None:
        return self._run.locale

    @property
    def created_at(self) -> datetime:
        return datetime.fromisoformat(self._run.created_at)

    @property
    def said(self) -> str:
        from yarrow.protocol.run_input.body import parse_run_input

        return parse_run_input(runs.read_input(self.run_key)).text

    def earlier(self, messages: int) -> list[str]:
        session = sessions.must_read(self.thread_id)
        latest = islice(sessions.messages_on(session.path, self.thread_id, messages), messages)
        return [message.content for message in latest if message.role == "user"]

    def parameter(self, name: str) -> Any:
        text = settings.agent_config.get(name)
        return None if text is None else json_text.loads(text.encode())

    def keep_once(self, kind: str, of: str, value: Mapping[str, Any]) -> Mapping[str, Any]:
        return kept_once.keep(self.run_key, kind, of, value)
