"""Questions and answers in the history (ASK-01, HIS-01)."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.support.divination_runs import ALICE, THREAD, execute, submit
from tests.support.runners.asking import Asker, answered, cancelled, interrupts_of
from tests.support.runners.scripted import install
from yarrow.protocol.response_body import to_json
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.runs.get_history import day_of_session, latest_by_session, whole_session
from yarrow.store import questions, table

pytestmark = [pytest.mark.usefixtures("aws"), pytest.mark.memory]

Begin = Callable[..., list[str]]


@pytest.fixture
def begin(monkeypatch: pytest.MonkeyPatch) -> Begin:
    def act(body: Any) -> list[str]:
        asker = Asker(body)
        install(monkeypatch, lambda: asker)
        run = submit().task_id
        execute(run)
        return [interrupt["id"] for interrupt in interrupts_of(run)]

    return act


async def _confirm(_: Asker, api: AgentRunAPIProxy) -> Any:
    return (await api.ask("Shall I?")).status


async def _two(_: Asker, api: AgentRunAPIProxy) -> Any:
    await asyncio.gather(api.ask("Which?", "choice", options=["left", "right"]), api.ask("Shall I?"))


def told() -> list[tuple[str, Any]]:
    """What the history says of each message that asks or answers."""
    messages = json.loads(to_json(whole_session(THREAD, "alice")))["messages"]
    marks = [(message["content"], message.get("interrupt") or message.get("answers")) for message in messages]
    return [(content, mark) for content, mark in marks if mark]


def test_an_open_question_is_in_the_history_as_one(begin: Begin) -> None:
    """ASK-01: in a session, in the list of sessions and on its day."""
    (question,) = begin(_confirm)
    mark = {"id": question, "kind": "confirmation", "status": "open"}
    assert told() == [("Shall I?", mark)]
    (latest,) = json.loads(to_json(latest_by_session("alice")))["messages"]
    assert latest["interrupt"] == mark
    day = json.loads(to_json(day_of_session(ALICE, THREAD, None)))["messages"]
    assert day[-1]["interrupt"] == mark


@pytest.mark.parametrize(
    ("payload", "status", "shown"),
    [
        ({"approved": True}, "answered", "✓"),
        ({"approved": False, "reason": "too dear"}, "refused", "✗ too dear"),
    ],
)
def test_an_answer_is_in_the_history_as_it_was_given(begin: Begin, payload: Any, status: str, shown: str) -> None:
    (question,) = begin(_confirm)
    execute(answered(question, payload).task_id)
    answer = {"interruptId": question, "status": status, "payload": payload}
    assert told() == [("Shall I?", {"id": question, "kind": "confirmation", "status": status}), (shown, [answer])]


def test_a_cancelled_question_stays_one(begin: Begin) -> None:
    """ASK-07: also when the question itself is no longer kept."""
    (question,) = begin(_confirm)
    cancelled(question)
    mark = {"id": question, "kind": "confirmation", "status": "cancelled"}
    assert told() == [("Shall I?", mark)]
    table.delete_alone({"pk": questions.partition("alice"), "sk": f"CLOSED#{question}"})
    assert told() == [("Shall I?", mark)]


def test_each_of_several_has_its_own_status(begin: Begin) -> None:
    which, shall = begin(_two)
    execute(answered(which, "left").task_id)
    assert told() == [
        ("Which?", {"id": which, "kind": "choice", "status": "answered"}),
        ("Shall I?", {"id": shall, "kind": "confirmation", "status": "open"}),
        ("left", [{"interruptId": which, "status": "answered", "payload": "left"}]),
    ]


def test_an_expired_question_says_so(begin: Begin, monkeypatch: pytest.MonkeyPatch) -> None:
    (question,) = begin(_confirm)
    monkeypatch.setattr(questions.Question, "is_over", property(lambda _: True))
    assert told() == [("Shall I?", {"id": question, "kind": "confirmation", "status": "expired"})]
