"""Stored journals of every shape that the order rules admit, for property tests of what is made of them."""

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from liuyao import DivinationPayload, derive
from tests.support.example_cast import EXAMPLE
from yarrow.protocol.events import events
from yarrow.protocol.events.order import EventOrder
from yarrow_agents.divination import event_types

IDS = events.RunIds(thread_id="550e8400-e29b-41d4-a716-446655440000", run_id='run "1" 卦\n')

DERIVED = event_types.DERIVED.event(
    IDS, {"divination": derive(DivinationPayload.model_validate(EXAMPLE)).model_dump(mode="json")}
)

TEXT = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8)
VALUE: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | TEXT, lambda inner: st.dictionaries(TEXT, inner, max_size=2)
)
OUTPUT = st.dictionaries(st.sampled_from(["status", "answer", "error", "sign_level"]), VALUE)


def beginnings(order: EventOrder) -> dict[str, Callable[[], st.SearchStrategy[events.Event]]]:
    """What may begin or stand alone."""
    taken = len(order.texts.text) + len(order.calls.text) + len(order.reasoning.text) + len(order.thoughts.text)
    new = f"id {taken + len(order.results)}"
    spoken = st.sampled_from([None, new, *order.texts.text, *sorted(order.without_text)])
    roles: st.SearchStrategy[Any] = st.sampled_from(["assistant", "assistant", "user", "system", "developer"])
    moves: dict[str, Callable[[], st.SearchStrategy[events.Event]]] = {
        "text": lambda: roles.map(lambda role: events.TextMessageStart(**IDS, message_id=new, role=role)),
        "call": lambda: spoken.map(
            lambda parent: events.ToolCallStart(
                **IDS, tool_call_id=new, tool_call_name="get_weather", parent_message_id=parent
            )
        ),
        "reasoning": lambda: st.just(events.ReasoningStart(**IDS, message_id=new)),
        "thought": lambda: st.just(events.ReasoningMessageStart(**IDS, message_id=new)),
        "step": lambda: st.just(events.StepStarted(**IDS, step_name=f"step {len(order.steps.text)}")),
        "state": lambda: VALUE.map(lambda value: events.StateSnapshot(**IDS, snapshot={"a": value})),
        "change": lambda: VALUE.map(
            lambda value: events.StateDelta(**IDS, delta=({"path": "/b", "op": "add", "value": value},))
        ),
        "activity": lambda: VALUE.map(
            lambda value: events.ActivitySnapshot(
                **IDS, message_id="plan", activity_type="PLAN", content={"a": value, "b": 1}
            )
        ),
        "custom": lambda: VALUE.map(lambda value: events.Custom(**IDS, name="artifact.created", value=value)),
    }
    if not order.declared:
        moves["derived"] = lambda: st.just(DERIVED)
    unanswered = [call for call in order.calls.text if call not in order.calls.open and call not in order.results]
    if unanswered:
        moves["result"] = lambda: st.builds(
            lambda call, content: events.ToolCallResult(**IDS, message_id=new, tool_call_id=call, content=content),
            st.sampled_from(unanswered),
            TEXT,
        )
    return moves


def goings_on(order: EventOrder) -> dict[str, Callable[[], st.SearchStrategy[events.Event]]]:
    """What may go on with, or end, something that is open."""
    texts, calls = st.sampled_from(order.texts.open or [""]), st.sampled_from(order.calls.open or [""])
    spans, thoughts = (
        st.sampled_from(order.reasoning.open or [""]),
        st.sampled_from(order.thoughts.open or [""]),
    )
    moves: dict[str, Callable[[], st.SearchStrategy[events.Event]]] = {}
    if order.texts.open:
        moves["words"] = lambda: st.builds(
            lambda name, delta: events.TextMessageContent(**IDS, message_id=name, delta=delta), texts, TEXT
        )
        moves["said"] = lambda: st.builds(
            lambda name, output: events.TextMessageEnd(**IDS, message_id=name, output=output), texts, OUTPUT
        )
    if order.calls.open:
        moves["arguments"] = lambda: st.builds(
            lambda call, delta: events.ToolCallArgs(**IDS, tool_call_id=call, delta=delta),
            calls,
            st.sampled_from(["{}", "[", "卦", '{"city":"北京"}']),
        )
        moves["called"] = lambda: calls.map(lambda call: order.end_of_call(IDS, call))
    if order.reasoning.open:
        moves["reasoned"] = lambda: spans.map(lambda name: events.ReasoningEnd(**IDS, message_id=name))
    if order.thoughts.open:
        moves["thinking"] = lambda: st.builds(
            lambda name, delta: events.ReasoningMessageContent(**IDS, message_id=name, delta=delta), thoughts, TEXT
        )
        moves["thought_of"] = lambda: thoughts.map(lambda name: events.ReasoningMessageEnd(**IDS, message_id=name))
    return moves


ENDS = (
    events.RunFinished(**IDS),
    events.RunError(**IDS, message="the run failed", code="RUN_FAILED"),
    events.RunError(**IDS, message="run canceled by user", code="RUN_CANCELED"),
)


@st.composite
def journals(draw: st.DrawFn) -> list[str]:
    """Return the stored lines of one whole run."""
    order = EventOrder()
    outputs: list[events.Event] = []

    def tell(event: Any) -> None:
        order.admit(event)
        outputs.append(event)

    tell(events.RunStarted(**IDS, parent_run_id=draw(st.none() | TEXT)))
    for _ in range(draw(st.integers(0, 14))):
        moves = beginnings(order) | goings_on(order)
        if any(isinstance(event, events.ActivitySnapshot) for event in outputs):
            moves["change of the activity"] = lambda: VALUE.map(
                lambda value: events.ActivityDelta(
                    **IDS, message_id="plan", activity_type="PLAN", patch=({"path": "/b", "op": "add", "value": value},)
                )
            )
        tell(draw(moves[draw(st.sampled_from(sorted(moves)))]()))
    closing = order.closing(IDS)
    for event in (*closing, draw(st.sampled_from(ENDS))):
        tell(event)
    return [events.encode(event) for event in outputs]
