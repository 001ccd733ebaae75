"""A conversation of an AG-UI client, with what it has on the screen after each run."""

import uuid
from dataclasses import dataclass, field
from typing import Any

from tests.support.agui.app import App, body, tool
from tests.support.agui.client import data_of, read
from tests.support.runners.scripted import DONE, Use, completed, delta
from yarrow.runs.get_history import whole_session
from yarrow.runs.send_message import session_id_of

CONFIRM: dict[str, Any] = {"tool_name": "confirmAction", "parameters": {"action": "a"}}


@dataclass
class Client:
    """An AG-UI client: it sends the whole conversation each time, and keeps every message that it is told."""

    app: App
    use: Use
    messages: list[dict[str, Any]] = field(default_factory=list)
    screens: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    """What was on the screen after each run."""

    @property
    def session(self) -> str:
        return session_id_of(self.app.case.user, "thread_001")

    def run(self, *results: Any) -> None:
        """Send what is there, for an agent to say this."""
        run = f"run_{len(self.screens)}"
        self.use(*results)
        answer = self.app.post(body(run, *self.messages, tools=[tool(CONFIRM)]))
        self.messages = [*self.messages, *read(data_of(answer.body)).messages]
        self.screens[run] = self.messages

    def ask(self, text: str, *results: Any) -> str:
        """Ask something new; returns the id of the question."""
        question = {"id": str(uuid.uuid4()), "role": "user", "content": text}
        self.messages = [*self.messages, question]
        self.run(*(results or (completed(f"{text}!"), DONE)))
        return str(question["id"])

    def ask_again(self, question: str, *results: Any, **changes: str) -> None:
        """Drop what came after a question, and send that once more."""
        at = next(index for index, message in enumerate(self.messages) if message["id"] == question)
        self.messages = [*self.messages[:at], {**self.messages[at], **changes}]
        self.run(*results)

    def answer(self, content: str) -> None:
        """Answer every call that waits."""
        answered = {message["toolCallId"] for message in self.messages if message["role"] == "tool"}
        calls = [call["id"] for message in self.messages for call in message.get("toolCalls", ())]
        events = [
            {"id": str(uuid.uuid4()), "role": "tool", "toolCallId": call, "content": content}
            for call in calls
            if call not in answered
        ]
        self.messages = [*self.messages, *events]

    def snapshot(self, run: str) -> list[dict[str, Any]]:
        """What a new page is told that joins a run."""
        joined = self.app.watch(self.session, run, "snapshot")
        return read(data_of(joined.body)).messages

    def check(self) -> None:
        """Check that a new page that joins any of the runs has what there was on the screen after it."""
        for run, screen in self.screens.items():
            assert self.snapshot(run) == screen, run
            assert len({item["id"] for item in screen}) == len(screen)

    def history(self) -> list[str]:
        return [message.content for message in whole_session(self.session, self.app.case.user).messages]


def looked_up(name: str, *texts: str) -> list[Any]:
    """A runner's results: it calls a tool of the service between these texts."""
    call = {"tool_call_id": name, "tool_name": "get_weather", "parameters": {"city": name}}
    done = [("tool.call.started", call), ("tool.call.completed", {"tool_call_id": name, "result": f"{name}: 晴"})]
    before, *after = [delta(text) if text else None for text in texts]
    return [pair for pair in (before, *done, *after, DONE) if pair is not None]


def confirm(name: str, text: str = "") -> list[Any]:
    """A runner's results: it calls a tool of the client."""
    messages = [delta(text)] if text else []
    return [*messages, ("tool.call.started", {"tool_call_id": name, **CONFIRM}), DONE]
