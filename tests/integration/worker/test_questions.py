"""Runners that ask their user: the run ends, and an answer starts one that goes on where it asked (ASK-01, ASK-07)."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from tests.support.divination_runs import THREAD, execute, submit
from tests.support.journals import stored, text, types
from tests.support.runners.asking import Asker, answered, cancelled, interrupts_of
from tests.support.runners.scripted import install
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.store import questions, runs, sessions
from yarrow.store.runner import steps

pytestmark = pytest.mark.usefixtures("aws")

Uses = Callable[[Any], Asker]


@pytest.fixture
def asks(monkeypatch: pytest.MonkeyPatch) -> Uses:
    """Have every run call a runner that does this."""

    def use(act: Any) -> Asker:
        asker = Asker(act)
        install(monkeypatch, lambda: asker)
        return asker

    return use


async def _confirm(_asker: Asker, api: AgentRunAPIProxy) -> Any:
    answer = await api.ask("Shall I?")
    return f"{answer.status} {answer.value} {answer.reason}"


def _messages() -> list[tuple[str, str]]:
    return [(message.role, message.content) for message in sessions.messages(THREAD)]


def test_a_run_that_asks_ends_and_its_answer_goes_on(asks: Uses) -> None:
    """ASK-01, ASK-02, ASK-07: finished steps are not made again, nor is anything said twice."""
    asker = asks(_confirm)
    first = submit().task_id
    execute(first)
    (interrupt,) = interrupts_of(first)
    assert (interrupt["reason"], interrupt["message"]) == ("confirmation", "Shall I?")
    assert runs.must_read(first).phase == "finished"
    session = sessions.must_read(THREAD)
    assert session.active_run is None
    assert [line.id for line in session.open_questions] == [interrupt["id"]]
    assert text(first) == "Let me see.Shall I?"

    second = answered(interrupt["id"], {"approved": True}).task_id
    assert not sessions.must_read(THREAD).open_questions
    execute(second)
    assert text(second) == "So be it: answered True None"
    assert "outcome" not in stored(second)[-1]
    assert asker.made.count("prepared") == 1
    assert _messages()[1:] == [
        ("assistant", "Let me see."),
        ("assistant", "Shall I?"),
        ("user", "✓"),
        ("assistant", "So be it: answered True None"),
    ]
    ask, prepare = sorted(steps.read_all(first), key=lambda step: step.action)
    assert (ask.action, ask.outcome, prepare.name) == ("steps.ask", "answered", "prepare")
    assert not list(steps.read_all(second))


def test_the_runner_gets_the_first_runs_context_again(asks: Uses) -> None:
    asker = asks(_confirm)
    first = submit().task_id
    execute(first)
    second = answered(interrupts_of(first)[0]["id"], {"approved": False, "reason": "too dear"}).task_id
    execute(second)
    before, after = (
        context.model_dump(exclude={"run_id": True, "runtime": {"trace_id", "deadline_at"}})
        for context in asker.contexts
    )
    assert before == after
    assert [context.run_id for context in asker.contexts] == [first, second]
    assert text(second) == "So be it: refused False too dear"


def test_several_are_asked_at_once_and_answered_one_by_one(asks: Uses) -> None:
    """ASK-01: with each answer the runner comes as far as the questions that are still open."""

    async def act(_: Asker, api: AgentRunAPIProxy) -> Any:
        colour, name = await asyncio.gather(
            api.ask("Which colour?", "choice", options=["red", {"value": "blue", "label": "Blue"}]),
            api.ask("What name?", "text"),
        )
        return f"{name.value} {colour.value}"

    asks(act)
    first = submit().task_id
    execute(first)
    colour, name = interrupts_of(first)
    assert text(first) == "Let me see.Which colour?What name?"
    second = answered(name["id"], "Alba").task_id
    execute(second)
    (again,) = interrupts_of(second)
    assert again["id"] == colour["id"]
    assert text(second) == ""
    third = answered(colour["id"], "blue").task_id
    execute(third)
    assert runs.must_read(third).earlier == (first, second)
    assert text(third) == "So be it: Alba blue"
    assert [content for role, content in _messages() if role == "user"][1:] == ["Alba", "Blue"]


def test_a_cancelled_question_goes_on_without_an_answer(asks: Uses) -> None:
    asks(_confirm)
    first = submit().task_id
    execute(first)
    second = cancelled(interrupts_of(first)[0]["id"]).task_id
    execute(second)
    assert text(second) == "So be it: cancelled None None"


def test_questions_of_a_run_that_fails_afterwards_are_closed(asks: Uses) -> None:
    """ASK-07: none outlives the run that goes on."""

    async def act(asker: Asker, api: AgentRunAPIProxy) -> Any:
        one, _ = await asyncio.gather(api.ask("One?"), _other(asker, api))
        return one

    async def _other(asker: Asker, api: AgentRunAPIProxy) -> Any:
        if len(asker.contexts) > 1:
            raise ValueError("lost heart")
        return await api.ask("Two?")

    asks(act)
    first = submit().task_id
    execute(first)
    one, two = interrupts_of(first)
    second = answered(one["id"], {"approved": True}).task_id
    execute(second)
    assert types(second)[-1] == "RUN_ERROR"
    assert not sessions.must_read(THREAD).open_questions
    left = questions.read("alice", [two["id"]])[0]
    assert left is not None
    assert left.ended == "cancelled"
    assert not list(questions.open_of("alice", 10))
