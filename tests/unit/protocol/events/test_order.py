"""The order rules of a run's events, against a model of the rules that looks only at what came before."""

import json
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from liuyao import DivinationPayload, derive
from tests.support.effort import examples
from tests.support.example_cast import EXAMPLE
from yarrow.protocol.events import events
from yarrow.protocol.events.order import EventOrder, OrderError
from yarrow_agents.divination import event_types

IDS = events.RunIds(thread_id="thread", run_id="run")

STARTED = events.RunStarted(**IDS)
FINISHED = events.RunFinished(**IDS)
FAILED = events.RunError(**IDS, message="the run failed")
DERIVED = event_types.DERIVED.event(
    IDS, {"divination": derive(DivinationPayload.model_validate(EXAMPLE)).model_dump(mode="json")}
)


def start(message: str) -> events.Event:
    """A message begins."""
    return events.TextMessageStart(**IDS, message_id=message)


def content(message: str, delta: str = "卦") -> events.Event:
    """Return a piece of a message."""
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


def call(tool_call: str, parent: str | None = None) -> events.Event:
    """A tool is called."""
    return events.ToolCallStart(**IDS, tool_call_id=tool_call, tool_call_name="t", parent_message_id=parent)


def args(tool_call: str, delta: str = "{}") -> events.Event:
    """Return a piece of a call's arguments."""
    return events.ToolCallArgs(**IDS, tool_call_id=tool_call, delta=delta)


def called(tool_call: str) -> events.Event:
    """A call is complete."""
    return events.ToolCallEnd(**IDS, tool_call_id=tool_call)


def cut(tool_call: str) -> events.Event:
    """A call will never be complete."""
    return events.ToolCallEnd(**IDS, tool_call_id=tool_call, metadata=events.INTERRUPTED)


def result(tool_call: str, message: str = "a") -> events.Event:
    """A tool has answered."""
    return events.ToolCallResult(**IDS, message_id=message, tool_call_id=tool_call, content="")


def reason(span: str) -> events.Event:
    """The agent begins to reason."""
    return events.ReasoningStart(**IDS, message_id=span)


def reasoned(span: str) -> events.Event:
    """The agent has reasoned."""
    return events.ReasoningEnd(**IDS, message_id=span)


def think(message: str) -> events.Event:
    """A message of the reasoning begins."""
    return events.ReasoningMessageStart(**IDS, message_id=message)


def thought(message: str) -> events.Event:
    """A message of the reasoning is complete."""
    return events.ReasoningMessageEnd(**IDS, message_id=message)


def thinking(message: str) -> events.Event:
    """Return a piece of a message of the reasoning."""
    return events.ReasoningMessageContent(**IDS, message_id=message, delta="思")


def sealed(message: str) -> events.Event:
    """A message of the reasoning has an encrypted value."""
    return events.ReasoningEncryptedValue(**IDS, entity_id=message, encrypted_value="v")


FREE = [
    events.StateSnapshot(**IDS, snapshot=None),
    events.StateDelta(**IDS, delta=()),
    events.ActivitySnapshot(**IDS, message_id="p", activity_type="PLAN", content={}),
    events.ActivityDelta(**IDS, message_id="p", activity_type="PLAN", patch=()),
    events.MessagesSnapshot(**IDS, messages=()),
    events.Custom(**IDS, name="yarrow.note", value=None),
]
FREE_TYPES = {"RUN_ERROR", *(event.type for event in FREE)}
TEXTS = [make(name) for make in (start, content, end) for name in ("a", "b")]
STEPS = [make(name) for make in (step, done) for name in ("a", "b")]
CALLS = [
    *(make(name) for make in (call, args, called, result) for name in ("c", "d")),
    *(call("c", "a"), args("c", '{"x":'), args("c", "1}"), cut("c"), result("c", "b")),
]
THOUGHTS = [make(name) for make in (reason, reasoned, think, thought, thinking) for name in ("a", "b")]
RARE = [STARTED, DERIVED, *FREE, FINISHED, FAILED]
# What happens within a run comes more often than what ends it, and one kind often comes alone, or else few sequences
# would get far.
SEQUENCES = (
    st.sampled_from([TEXTS + STEPS, CALLS, THOUGHTS, CALLS + TEXTS, TEXTS + STEPS + CALLS + THOUGHTS])
    .flatmap(lambda kinds: st.lists(st.sampled_from([*kinds * 3, *RARE]), max_size=40))
    .flatmap(lambda drawn: st.sampled_from([drawn, [STARTED, *drawn]]))
)

PAIRS = {
    "STEP_FINISHED": ("STEP_STARTED", "step_name"),
    "TEXT_MESSAGE_END": ("TEXT_MESSAGE_START", "message_id"),
    "TOOL_CALL_END": ("TOOL_CALL_START", "tool_call_id"),
    "REASONING_MESSAGE_END": ("REASONING_MESSAGE_START", "message_id"),
    "REASONING_END": ("REASONING_START", "message_id"),
}
PIECES = {
    "TEXT_MESSAGE_CONTENT": "TEXT_MESSAGE_END",
    "TOOL_CALL_ARGS": "TOOL_CALL_END",
    "REASONING_MESSAGE_CONTENT": "REASONING_MESSAGE_END",
}
MESSAGES = ("TEXT_MESSAGE_START", "REASONING_MESSAGE_START", "TOOL_CALL_RESULT")


def is_json(text: str) -> bool:
    """Whether JavaScript would read it."""
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def allowed(before: list[Any], event: Any) -> bool:
    """The rules, from what came before alone: those of AG-UI, and what this service promises beyond."""
    types = [event.type for event in before]

    def count(kind: str, **members: str) -> int:
        return sum(
            event.type == kind and all(getattr(event, name) == value for name, value in members.items())
            for event in before
        )

    def is_open(end: str, name: str) -> bool:
        begin, member = PAIRS[end]
        return count(begin, **{member: name}) > count(end, **{member: name})

    def is_new(message: str) -> bool:
        return not any(event.type in MESSAGES and event.message_id == message for event in before)

    if "RUN_FINISHED" in types or "RUN_ERROR" in types:
        return False
    if not before:
        return event.type in ("RUN_STARTED", "RUN_ERROR")
    match event.type:
        case "RUN_STARTED" | "DIVINATION_DERIVED":
            return event.type not in types
        case "RUN_FINISHED":
            return all(count(begin) == count(end) for end, (begin, _) in PAIRS.items())
        case "STEP_STARTED":
            return not is_open("STEP_FINISHED", event.step_name)
        case "TEXT_MESSAGE_START" | "REASONING_MESSAGE_START":
            return is_new(event.message_id)
        case "REASONING_START":
            return count("REASONING_START", message_id=event.message_id) == 0
        case "TOOL_CALL_START":
            parent = event.parent_message_id
            known = parent is None or count("TEXT_MESSAGE_START", message_id=parent) == 1
            return known and count("TOOL_CALL_START", tool_call_id=event.tool_call_id) == 0
        case "TOOL_CALL_RESULT":
            ended = count("TOOL_CALL_END", tool_call_id=event.tool_call_id) == 1
            answered = count("TOOL_CALL_RESULT", tool_call_id=event.tool_call_id) == 1
            return ended and not answered and is_new(event.message_id)
        case "TOOL_CALL_END":
            messages = [
                item for item in before if item.type == "TOOL_CALL_ARGS" and item.tool_call_id == event.tool_call_id
            ]
            whole = is_json("".join(message.delta for message in messages))
            return is_open("TOOL_CALL_END", event.tool_call_id) and whole == (event.metadata is None)
        case type_ if type_ in FREE_TYPES:
            return True
    end = PIECES.get(event.type, event.type)
    return is_open(end, getattr(event, PAIRS[end][1]))


CLOSING = ["TOOL_CALL_END", "TEXT_MESSAGE_END", "REASONING_MESSAGE_END", "REASONING_END", "STEP_FINISHED"]


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
@settings(max_examples=examples(250), deadline=None)
def test_an_event_is_admitted_where_the_rules_allow_it_and_changes_nothing_where_not(sequence: list[Any]) -> None:
    """EVT-07 … EVT-12, EVT-15, EVT-17, DIV-11."""
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
@settings(max_examples=examples(100), deadline=None)
def test_a_run_that_was_closed_may_be_finished(sequence: list[Any]) -> None:
    """EVT-11, EVT-17: closing ends what is open, the innermost step first, and nothing else."""
    order = EventOrder()
    admitted = follow(order, [item for item in [STARTED, *sequence] if item not in (FINISHED, FAILED)])
    opened = [event.step_name for event in admitted if event.type == "STEP_STARTED"]
    closing: list[Any] = order.closing(IDS)
    closed = [step_finished.step_name for step_finished in closing if isinstance(step_finished, events.StepFinished)]
    for event in [*closing, FINISHED]:
        assert allowed(admitted, event)
        order.admit(event)
        admitted.append(event)
    assert order.ended
    assert {event.type for event in closing} <= PAIRS.keys()
    assert [event.type for event in closing] == sorted((event.type for event in closing), key=CLOSING.index)
    assert sorted(closed, key=lambda name: opened[::-1].index(name)) == closed
    with pytest.raises(OrderError):
        order.admit(FAILED)


@given(SEQUENCES)
@settings(max_examples=examples(100), deadline=None)
def test_an_order_that_caught_up_with_the_journal_is_the_one_that_lived_through_it(sequence: list[Any]) -> None:
    """EVT-27: It reads the stored lines."""
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
    assert {name: str(text) for name, text in order.texts.text.items()} == {"a": "世爻", "b": "应"}
    assert order.texts.open == ["b"]


def test_a_call_that_was_cut_short_is_closed_as_such() -> None:
    """EVT-11: its arguments are not to be parsed; those of a call that was only not ended yet are."""
    order = EventOrder()
    follow(order, [STARTED, call("c"), args("c", '{"x":'), call("d"), args("d"), call("e")])
    assert order.closing(IDS) == [cut("c"), called("d"), cut("e")]


@pytest.mark.parametrize(
    ("before", "event", "reason"),
    [
        ([], FINISHED, "RUN_FINISHED before RUN_STARTED"),
        ([STARTED], STARTED, "RUN_STARTED twice"),
        ([STARTED, FINISHED], FAILED, "RUN_ERROR after the terminal event"),
        ([STARTED, start("a")], FINISHED, "RUN_FINISHED while a message is open: a"),
        ([STARTED, step("s"), step("t")], FINISHED, "RUN_FINISHED while a step is open: s, t"),
        ([STARTED, call("c")], FINISHED, "RUN_FINISHED while a tool call is open: c"),
        ([STARTED, reason("r")], FINISHED, "RUN_FINISHED while a reasoning is open: r"),
        ([STARTED, think("t")], FINISHED, "RUN_FINISHED while a reasoning message is open: t"),
        ([STARTED, start("a"), end("a")], start("a"), "message a begun twice"),
        ([STARTED, start("a"), end("a")], content("a"), "TEXT_MESSAGE_CONTENT of message a, which is not open"),
        ([STARTED], end("a"), "TEXT_MESSAGE_END of message a, which is not open"),
        ([STARTED, step("s")], step("s"), "step s begun twice"),
        ([STARTED, step("s"), done("s")], done("s"), "STEP_FINISHED of step s, which is not open"),
        ([STARTED, call("c"), args("c"), called("c")], call("c"), "tool call c begun twice"),
        ([STARTED], args("c"), "TOOL_CALL_ARGS of tool call c, which is not open"),
        ([STARTED, call("c"), args("c", "{")], called("c"), "arguments of tool call c that are not JSON, .*"),
        ([STARTED, call("c"), args("c")], cut("c"), ".* called interrupted though they are"),
        ([STARTED], call("c", "a"), "tool call c in message a, not begun"),
        ([STARTED], result("c"), "result of tool call c, which did not begin"),
        ([STARTED, call("c"), args("c")], result("c"), "result of tool call c, which is open"),
        ([STARTED, call("c"), cut("c"), result("c")], result("c", "b"), "second result of tool call c"),
        ([STARTED, call("c"), cut("c"), start("a")], result("c"), "message id a used twice"),
        ([STARTED, think("a")], start("a"), "message id a used twice"),
        ([STARTED, reason("a"), reasoned("a")], reason("a"), "reasoning a begun twice"),
        ([STARTED, start("a")], sealed("a"), "encrypted value of message a, which did not begin"),
        ([STARTED, think("a"), sealed("a"), thought("a")], sealed("a"), "second encrypted value of message a"),
        ([STARTED, DERIVED], DERIVED, "DIVINATION_DERIVED twice"),
    ],
)
def test_a_refusal_says_what_was_wrong(before: list[Any], event: Any, reason: str) -> None:
    """EVT-07 … EVT-12, EVT-15, EVT-17, DIV-11."""
    order = EventOrder()
    assert follow(order, before) == before
    with pytest.raises(OrderError, match=f"^{reason}$"):
        order.admit(event)
