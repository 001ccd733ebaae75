"""A snapshot of any run of a conversation is what its client has on the screen, whatever went before."""

import json
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import pytest

from local.stack import REGION
from tests.agui_client import data_of, read
from tests.integration.test_execution import DONE, completed, delta
from tests.integration.test_send_message import App, Use, app, body, session_id_of, tool, use
from yarrow.runs.agui import join_snapshot
from yarrow.runs.get_history import whole_session
from yarrow.store import runs

__all__ = ["app", "use"]

pytestmark = pytest.mark.usefixtures("aws")

CONFIRM: dict[str, Any] = {"tool_name": "confirmAction", "parameters": {"action": "a"}}


@pytest.fixture(scope="session")
def dynamodb() -> str:
    """moto alone: what counts here is what is read."""
    return f"https://dynamodb.{REGION}.amazonaws.com"


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
        at = next(index for index, each in enumerate(self.messages) if each["id"] == question)
        self.messages = [*self.messages[:at], {**self.messages[at], **changes}]
        self.run(*results)

    def answer(self, content: str) -> None:
        """Answer every call that waits."""
        answered = {each["toolCallId"] for each in self.messages if each["role"] == "tool"}
        calls = [call["id"] for each in self.messages for call in each.get("toolCalls", ())]
        told = [
            {"id": str(uuid.uuid4()), "role": "tool", "toolCallId": call, "content": content}
            for call in calls
            if call not in answered
        ]
        self.messages = [*self.messages, *told]

    def snapshot(self, run: str) -> list[dict[str, Any]]:
        """What a new page is told that joins a run."""
        joined = self.app.watch(self.session, run, "snapshot")
        return read(data_of(joined.body)).messages

    def check(self) -> None:
        """Check that a new page that joins any of the runs has what there was on the screen after it."""
        for run, screen in self.screens.items():
            assert self.snapshot(run) == screen, run
            assert len({each["id"] for each in screen}) == len(screen)

    def history(self) -> list[str]:
        return [each.content for each in whole_session(self.session, self.app.case.user).messages]


@pytest.fixture
def client(app: App, use: Use) -> Client:
    return Client(app, use)


def looked_up(name: str, *texts: str) -> list[Any]:
    """A runner's results: it calls a tool of the service between these texts."""
    call = {"tool_call_id": name, "tool_name": "get_weather", "parameters": {"city": name}}
    done = [("tool.call.started", call), ("tool.call.completed", {"tool_call_id": name, "result": f"{name}: 晴"})]
    before, *after = [delta(text) if text else None for text in texts]
    return [each for each in (before, *done, *after, DONE) if each is not None]


def confirm(name: str, text: str = "") -> list[Any]:
    """A runner's results: it calls a tool of the client."""
    said = [delta(text)] if text else []
    return [*said, ("tool.call.started", {"tool_call_id": name, **CONFIRM}), DONE]


def test_a_question_that_is_asked_again_takes_the_screen_back_to_it(client: Client) -> None:
    """EVT-14, HIS-17, HIS-19, C38: the history is what is on the screen; no message stands there twice."""
    first = client.ask("一")
    client.ask_again(first, completed("一!!"), DONE)
    second = client.ask("二")
    client.ask_again(second, completed("二!!"), DONE)
    client.ask("三")
    client.ask_again(first, completed("一!!!"), DONE)
    client.messages = [*client.messages, {"id": second, "role": "user", "content": "二"}]
    client.run(completed("二!!!"), DONE)
    client.check()
    assert [each["content"] for each in client.messages] == ["一", "一!!!", "二", "二!!!"]
    assert client.history() == ["一", "一!!!", "二", "二!!!"]


def test_a_question_that_was_changed_in_its_place_is_the_same_one(client: Client) -> None:
    """EVT-14: a message is known by its id."""
    question = client.ask("一")
    client.ask("二")
    client.ask_again(question, completed("三!"), DONE, content="三")
    client.ask("四")
    client.check()


def test_one_that_failed_and_is_asked_again_has_the_later_answer_alone(client: Client) -> None:
    """EVT-14, HIS-18: what it did with tools before it failed goes with it."""
    *used, _ = looked_up("c1", "我查一下")
    question = client.ask("一", *used, ("run.failed", {"message": "no more"}))
    client.ask_again(question, *looked_up("c2", "", "晴"))
    client.ask("二")
    client.check()
    assert [each["role"] for each in client.messages] == ["user", "assistant", "tool", "assistant", "user", "assistant"]


TALKS: dict[str, Callable[[Client], object]] = {
    "a tool of the service": lambda client: client.ask("一", *looked_up("c1", "我查一下", "晴")),
    "without a word": lambda client: client.ask("一", *looked_up("c1", "")),
    "a tool of the client": lambda client: (
        client.ask("一", *confirm("c1", "可以吗?")),
        client.answer("yes"),
        client.run(completed("好"), DONE),
    ),
    "one after another": lambda client: (
        client.ask("一", *confirm("c1")),
        client.answer("yes"),
        client.run(*confirm("c2", "还有")),
        client.answer("no"),
        client.run(*looked_up("c3", "", "好")),
    ),
    "answered with the next question": lambda client: (
        client.ask("一", *confirm("c1", "可以吗?")),
        client.answer("yes"),
        client.ask_again(client.ask("二"), completed("二!!"), DONE),
    ),
    "never answered": lambda client: client.ask("一", *confirm("c1", "可以吗?")),
    "asked again": lambda client: client.ask_again(
        client.ask("一", *looked_up("c1", "我查一下", "晴")), *looked_up("c2", "我再查一下", "雨")
    ),
}


@pytest.mark.parametrize("name", TALKS)
def test_what_tools_did_in_earlier_runs_is_on_the_screen(client: Client, name: str) -> None:
    """EVT-14, EVT-20, EVT-21, EVT-22, MSG-08: under the ids that the client knows; no history has it."""
    client.ask("○")
    TALKS[name](client)
    client.ask("●")
    client.check()
    assert any(each["role"] == "tool" or each.get("toolCalls") for each in client.messages)
    assert not any("confirmAction" in text or "get_weather" in text for text in client.history())


def test_of_runs_that_are_too_many_too_large_or_too_old_there_are_the_words(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """EVT-14, EVT-27: the latest of them come whole."""
    for name in ("c1", "c2", "c3"):
        client.ask(name, *looked_up(name, "我查一下", "晴"))
    client.ask("○")

    def calls() -> list[str]:
        return [call["id"] for each in client.snapshot("run_3") for call in each.get("toolCalls", ())]

    assert calls() == ["c1", "c2", "c3"]
    with monkeypatch.context() as patched:
        patched.setattr(join_snapshot, "MAX_RUNS", 2)
        assert calls() == ["c2", "c3"]
    with monkeypatch.context() as patched:
        patched.setattr(join_snapshot, "MAX_BYTES", len(json.dumps(client.messages[:8], ensure_ascii=False).encode()))
        assert calls() == ["c3"]
    with monkeypatch.context() as patched:
        patched.setattr(join_snapshot, "_KEPT", timedelta())
        assert calls() == []
        words = [each["content"] for each in client.messages if each["role"] != "tool"]
        assert [each["content"] for each in client.snapshot("run_3")] == words


def test_the_session_is_read_once_for_a_snapshot(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """EVT-14: for words and for runs with tools."""
    client.ask("一", *looked_up("c1", "", "晴"))
    client.ask("二")
    found: list[str] = []
    path = join_snapshot._path

    def count(run: runs.Run) -> Any:
        found.append(run.run_id)
        return path(run)

    monkeypatch.setattr(join_snapshot, "_path", count)
    assert client.snapshot("run_1") == client.messages
    assert found == ["run_1"]
