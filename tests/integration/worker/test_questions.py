"""Runners that ask their user: the run ends, and an answer starts one that goes on where it asked (ASK-01, ASK-07)."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.support.divination_runs import THREAD, execute, submit
from tests.support.journals import stored, text, types
from tests.support.runners.asking import Asker, answered, cancelled, interrupts_of, said
from tests.support.runners.scripted import delta, install
from yarrow.protocol.events.events import Event, TextMessageContent
from yarrow.protocol.runner.models import AgentRunContext, AgentRunResult
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.settings import settings
from yarrow.store import clients, clock, questions, runs, sessions
from yarrow.store.runner import steps
from yarrow.worker.journal_writer import JournalWriter

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


@pytest.mark.parametrize("days", [3, 20])
def test_an_answer_goes_on_days_later(asks: Uses, monkeypatch: pytest.MonkeyPatch, days: int) -> None:
    """ASK-01, ASK-07: on a clock that has moved on, without what has expired meanwhile."""

    async def act(_: Asker, api: AgentRunAPIProxy) -> Any:
        return (await api.ask("Shall I?", expires_in=21 * 86_400)).status

    asker = asks(act)
    first = submit().task_id
    execute(first)

    class Later(datetime):
        @classmethod
        def now(cls, tz: Any = None) -> Any:
            return datetime.now(tz) + timedelta(days=days)

    for module in (clock, questions, sessions):
        monkeypatch.setattr(module, "datetime", Later)
    expired = expire(Later.now(UTC).timestamp())
    assert not any(key.startswith(("RUN#", "SESSION#", "QUESTIONS#", "STEPS#")) for key in expired), expired
    second = answered(interrupts_of(first)[0]["id"], {"approved": True}).task_id
    execute(second)
    assert text(second) == "So be it: answered"
    assert asker.made.count("prepared") == 1
    assert list(questions.open_of("alice", 10)) == []


def expire(now: float) -> list[str]:
    """Delete what has expired, as DynamoDB does; the keys."""
    items = clients.dynamodb().scan(TableName=settings.table_name)["Items"]
    gone = [item for item in items if float(item.get("expires_at", {}).get("N", now + 1)) <= now]
    for item in gone:
        clients.dynamodb().delete_item(TableName=settings.table_name, Key={"pk": item["pk"], "sk": item["sk"]})
    return [item["pk"]["S"] for item in gone]


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


@pytest.fixture
def streams(monkeypatch: pytest.MonkeyPatch) -> Callable[[Any], None]:
    """Have every run call a runner whose text comes in pieces."""

    def use(run: Any) -> None:
        class Runner:
            def run(self, context: AgentRunContext, api: AgentRunAPIProxy) -> Any:
                return run(context, api)

        install(monkeypatch, Runner)

    return use


def _piece(context: AgentRunContext, words: str) -> AgentRunResult:
    type_, data = delta(words)
    return AgentRunResult(run_id=context.run_id, type=type_, data=data)


def test_a_message_that_a_question_cut_off_goes_on_as_another(streams: Callable[[Any], None]) -> None:
    """ASK-01: what the first run has shown of it is not shown again."""

    async def run(context: AgentRunContext, api: AgentRunAPIProxy) -> Any:
        yield _piece(context, "Let me ")
        yield _piece(context, "see. ")
        yield _piece(context, f"You say {(await api.ask('Who?', 'text')).value}. ")
        yield _piece(context, f"And {(await api.ask('Where?', 'text')).value}.")

    streams(run)
    first = submit().task_id
    execute(first)
    second = answered(interrupts_of(first)[0]["id"], "Alba").task_id
    execute(second)
    third = answered(interrupts_of(second)[0]["id"], "Rome").task_id
    execute(third)
    assert [text(key) for key in (first, second, third)] == ["Let me see. Who?", "You say Alba. Where?", "And Rome."]
    assert [content for role, content in _messages() if role == "assistant"] == [
        *("Let me see. ", "Who?", "You say Alba. ", "Where?", "And Rome."),
    ]


def test_a_completed_message_that_a_question_cut_off_goes_on(streams: Callable[[Any], None]) -> None:
    """ASK-01: a runner that sends its whole message at the end repeats what was shown before the question."""

    async def run(context: AgentRunContext, api: AgentRunAPIProxy) -> Any:
        yield _piece(context, "One, ")
        await api.ask("Shall I?")
        yield _piece(context, "two, ")
        yield said(context, "One, two, three")

    streams(run)
    first = submit().task_id
    execute(first)
    second = answered(interrupts_of(first)[0]["id"], {"approved": True}).task_id
    execute(second)
    assert [text(first), text(second)] == ["One, Shall I?", "two, three"]


def test_messages_between_questions_are_shown_once(streams: Callable[[Any], None]) -> None:
    """ASK-01: the third run repeats neither what the first said nor what the second did, between two questions."""

    async def run(context: AgentRunContext, api: AgentRunAPIProxy) -> Any:
        for number in (1, 2, 3):
            yield said(context, f"Part {number}.")
            await api.ask(f"Go on after {number}?")

    streams(run)
    key = submit().task_id
    execute(key)
    shown = [text(key)]
    for _ in range(3):
        key = answered(interrupts_of(key)[0]["id"], {"approved": True}).task_id
        execute(key)
        shown.append(text(key))
    assert shown == ["Part 1.Go on after 1?", "Part 2.Go on after 2?", "Part 3.Go on after 3?", ""]


def test_a_worker_that_takes_over_after_a_question_repeats_nothing(streams: Callable[[Any], None]) -> None:
    """ASK-01, STP-01: the run that goes on loses its worker in the middle of a message."""
    dies = [True]

    async def run(context: AgentRunContext, api: AgentRunAPIProxy) -> Any:
        yield _piece(context, "Before. ")
        await api.ask("Shall I?")
        yield _piece(context, "After. ")
        await api.step("pay", lambda: None)
        if dies and dies.pop():
            await asyncio.sleep(0.5)  # what was said is stored
            raise SystemExit
        yield _piece(context, "End.")

    streams(run)
    first = submit().task_id
    execute(first)
    second = answered(interrupts_of(first)[0]["id"], {"approved": True}).task_id
    with pytest.raises(SystemExit):
        execute(second)
    execute(second)
    assert text(second) == "After. End."
    assert [content for role, content in _messages() if role == "assistant"] == [
        "Before. ",
        "Shall I?",
        "After. End.",
    ]


def test_a_question_whose_message_a_worker_only_began_keeps_its_message(
    asks: Uses, monkeypatch: pytest.MonkeyPatch
) -> None:
    """ASK-01, STP-01: the history marks it, and the run that goes on repeats nothing."""
    write, dies = JournalWriter.write, [True]

    async def cut(writer: JournalWriter, event: Event) -> None:
        if isinstance(event, TextMessageContent) and event.delta == "Shall I?" and dies and dies.pop():
            await writer._flush()
            raise SystemExit
        await write(writer, event)

    asks(_confirm)
    monkeypatch.setattr(JournalWriter, "write", cut)
    first = submit().task_id
    with pytest.raises(SystemExit):
        execute(first)
    execute(first)
    (interrupt,) = interrupts_of(first)
    asked = [message for message in sessions.messages(THREAD) if message.content == "Shall I?"]
    assert [message.interrupt for message in asked] == [{"id": interrupt["id"], "kind": "confirmation"}]
    assert types(first).count("TEXT_MESSAGE_START") == types(first).count("TEXT_MESSAGE_END") == 2
    second = answered(interrupt["id"], {"approved": True}).task_id
    execute(second)
    assert text(second).startswith("So be it: answered")
