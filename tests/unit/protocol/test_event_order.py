"""The order rules of a run's events, against a model of the rules that looks only at what came before."""

from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from yarrow.divination import DivinationPayload, derive
from yarrow.protocol import events
from yarrow.protocol.event_order import EventOrder, OrderError

IDS = events.RunIds(thread_id="thread", run_id="run")

STARTED = events.RunStarted(**IDS)
FINISHED = events.RunFinished(**IDS)
FAILED = events.RunError(**IDS, message="the run failed")
DERIVED = events.DivinationDerived(
    **IDS,
    divination=derive(
        DivinationPayload.model_validate(
            {
                "divinationMethod": "手动起卦",
                "questionType": "事业",
                "question": "我最近换工作是否合适?",
                "divinationTimeIso": "2026-04-03T20:30:00+08:00",
                "yaoLines": ["少阳", "少阴", "老阳", "少阴", "少阳", "老阴"],
            }
        )
    ),
)


def start(message: str) -> events.Event:
    """A message begins."""
    return events.TextMessageStart(**IDS, message_id=message)


def content(message: str, delta: str = "卦") -> events.Event:
    """A piece of a message."""
    return events.TextMessageContent(**IDS, message_id=message, delta=delta)


def end(message: str) -> events.Event:
    """A message is complete."""
    return events.TextMessageEnd(**IDS, message_id=message)


def step(name: str) -> events.Event:
    """A step begins."""
    return events.StepStarted(**IDS, step_name=name)


def done(name: str) -> events.Event:
    """A step ends."""
    return events.StepFinished(**IDS, step_name=name)


MIDDLE = [make(name) for make in (start, content, end, step, done) for name in ("a", "b")]
# What happens within a run comes more often than what ends it, or else every sequence would be short.
SEQUENCES = st.lists(st.sampled_from([*MIDDLE * 3, STARTED, STARTED, DERIVED, FINISHED, FAILED]), max_size=40).flatmap(
    lambda drawn: st.sampled_from([drawn, [STARTED, *drawn]])
)


def allowed(before: list[Any], event: Any) -> bool:
    """The rules, from what came before alone: those of AG-UI, and one cast, one end and no message id used twice."""
    types = [each.type for each in before]

    def count(kind: str, **members: str) -> int:
        return sum(each.type == kind and members.items() <= vars(each).items() for each in before)

    def open_texts(**members: str) -> int:
        return count("TEXT_MESSAGE_START", **members) - count("TEXT_MESSAGE_END", **members)

    def open_steps(**members: str) -> int:
        return count("STEP_STARTED", **members) - count("STEP_FINISHED", **members)

    if "RUN_FINISHED" in types or "RUN_ERROR" in types:
        return False
    if not before:
        return event.type in ("RUN_STARTED", "RUN_ERROR")
    match event.type:
        case "RUN_STARTED":
            return False
        case "RUN_ERROR":
            return True
        case "RUN_FINISHED":
            return open_texts() == open_steps() == 0
        case "STEP_STARTED":
            return open_steps(step_name=event.step_name) == 0
        case "STEP_FINISHED":
            return open_steps(step_name=event.step_name) == 1
        case "TEXT_MESSAGE_START":
            return count("TEXT_MESSAGE_START", message_id=event.message_id) == 0
        case "TEXT_MESSAGE_CONTENT" | "TEXT_MESSAGE_END":
            return open_texts(message_id=event.message_id) == 1
        case "DIVINATION_DERIVED":
            return "DIVINATION_DERIVED" not in types
    raise AssertionError(event.type)


def follow(order: EventOrder, sequence: list[Any]) -> list[Any]:
    """Offer a sequence; what was admitted."""
    admitted = []
    for event in sequence:
        try:
            order.admit(event)
        except OrderError:
            continue
        admitted.append(event)
    return admitted


@given(SEQUENCES)
@settings(max_examples=300, deadline=None)
def test_an_event_is_admitted_where_the_rules_allow_it_and_changes_nothing_where_not(sequence: list[Any]) -> None:
    """EVT-07, EVT-08, EVT-09, EVT-15, EVT-17, DIV-11."""
    order = EventOrder()
    before: list[Any] = []
    for event in sequence:
        state = deepcopy(vars(order))
        try:
            order.admit(event)
        except OrderError:
            assert not allowed(before, event)
            assert vars(order) == state
        else:
            assert allowed(before, event)
            before.append(event)


@given(SEQUENCES)
@settings(max_examples=200, deadline=None)
def test_a_run_that_was_closed_may_be_finished(sequence: list[Any]) -> None:
    """EVT-17: closing ends messages and steps, the innermost step first, and nothing else."""
    order = EventOrder()
    admitted = follow(order, [each for each in [STARTED, *sequence] if each not in (FINISHED, FAILED)])
    opened = [each.step_name for each in admitted if each.type == "STEP_STARTED"]
    closing = order.closing(IDS)
    closed = [each.step_name for each in closing if isinstance(each, events.StepFinished)]
    for event in [*closing, FINISHED]:
        order.admit(event)
    assert order.ended
    assert {each.type for each in closing} <= {"TEXT_MESSAGE_END", "STEP_FINISHED"}
    assert sorted(closed, key=lambda name: opened[::-1].index(name)) == closed
    with pytest.raises(OrderError):
        order.admit(FAILED)


@given(SEQUENCES)
@settings(max_examples=200, deadline=None)
def test_an_order_that_caught_up_with_the_journal_is_the_one_that_lived_through_it(sequence: list[Any]) -> None:
    """EVT-27: from the stored lines."""
    live, later = EventOrder(), EventOrder()
    admitted = follow(live, sequence)
    later.replay(events.encode(event) for event in admitted)
    assert vars(later) == vars(live)


def test_the_text_of_a_message_is_the_sum_of_its_pieces() -> None:
    """EVT-09: also where two messages interleave."""
    order = EventOrder()
    follow(
        order, [STARTED, start("a"), content("a", "世"), start("b"), content("b", "应"), content("a", "爻"), end("a")]
    )
    assert order.texts == {"a": "世爻", "b": "应"}
    assert order.open_texts == ["b"]


@pytest.mark.parametrize(
    ("before", "event", "reason"),
    [
        ([], FINISHED, "RUN_FINISHED before RUN_STARTED"),
        ([STARTED], STARTED, "RUN_STARTED twice"),
        ([STARTED, FINISHED], FAILED, "RUN_ERROR after the terminal event"),
        ([STARTED, start("a"), step("s")], FINISHED, "RUN_FINISHED while messages are open: a"),
        ([STARTED, step("s"), step("t")], FINISHED, "RUN_FINISHED while steps are open: s, t"),
        ([STARTED, start("a"), end("a")], start("a"), "message a started twice"),
        ([STARTED, start("a"), end("a")], content("a"), "content of message a, which is not open"),
        ([STARTED], end("a"), "end of message a, which is not open"),
        ([STARTED, step("s")], step("s"), "step s started twice"),
        ([STARTED, step("s"), done("s")], done("s"), "step s finished but not started"),
        ([STARTED, DERIVED], DERIVED, "DIVINATION_DERIVED twice"),
    ],
)
def test_a_refusal_says_what_was_wrong(before: list[Any], event: Any, reason: str) -> None:
    """EVT-07 … EVT-09, EVT-15, EVT-17, DIV-11."""
    order = EventOrder()
    assert follow(order, before) == before
    with pytest.raises(OrderError, match=f"^{reason}$"):
        order.admit(event)
