"""A snapshot of any run of a conversation is what its client has on the screen, whatever went before."""

# Talks are lambdas whose steps stand in tuples.
# mypy: disable-error-code="func-returns-value"

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from tests.support.agui.conversation import Client, confirm, looked_up
from tests.support.runners.scripted import DONE, completed
from yarrow.runs.agui import join_snapshot
from yarrow.store import runs

pytestmark = [pytest.mark.usefixtures("aws"), pytest.mark.memory]
"""On moto alone: what counts here is what is read."""


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
    assert [message["content"] for message in client.messages] == ["一", "一!!!", "二", "二!!!"]
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
    assert [message["role"] for message in client.messages] == [
        "user",
        "assistant",
        "tool",
        "assistant",
        "user",
        "assistant",
    ]


THOUGHT = (
    ("reasoning.delta", {"content": "嗯"}),
    ("reasoning.completed", {"content": "嗯", "encrypted_value": "yarrow1.x"}),
)

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
    "with reasoning": lambda client: client.ask(
        "一", *THOUGHT, *looked_up("c1", "我查一下")[:-1], *THOUGHT, *looked_up("c2", "", "晴")
    ),
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
    assert any(message["role"] == "tool" or message.get("toolCalls") for message in client.messages)
    assert not any("confirmAction" in text or "get_weather" in text for text in client.history())


def test_what_an_agent_thought_is_on_the_screen_and_in_no_history(client: Client) -> None:
    """EVT-14, HIS-19: though its run called no tool."""
    client.ask("一", *THOUGHT, completed("好"), DONE)
    client.ask("二", *THOUGHT, completed("好"), DONE)
    client.ask("三")
    client.check()
    roles = ["user", "reasoning", "assistant"]
    assert [message["role"] for message in client.messages] == [*roles, *roles, "user", "assistant"]
    assert [message.get("encryptedValue") for message in client.messages if message["role"] == "reasoning"] == [
        "yarrow1.x"
    ] * 2
    assert client.history() == ["一", "好", "二", "好", "三", "三!"]


def test_of_runs_that_are_too_many_too_large_or_too_old_there_are_the_words(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """EVT-14, EVT-27: the latest of them come whole."""
    for name in ("c1", "c2", "c3"):
        client.ask(name, *looked_up(name, "我查一下", "晴"))
    client.ask("○")

    def calls() -> list[str]:
        return [call["id"] for item in client.snapshot("run_3") for call in item.get("toolCalls", ())]

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
        words = [message["content"] for message in client.messages if message["role"] != "tool"]
        assert [message["content"] for message in client.snapshot("run_3")] == words


def test_the_session_is_read_once_for_a_snapshot(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """EVT-14: Runs with and without tools need one read."""
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
