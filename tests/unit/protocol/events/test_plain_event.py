"""An event without its model is written and read as with it."""

from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yarrow.protocol.events import events
from yarrow.protocol.events.order import INTERRUPTED
from yarrow.protocol.events.plain_event import PlainEvent

IDS: events.RunIds = {"thread_id": "thread", "run_id": "run"}
TEXT = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=10)
MEMBERS: dict[type[events.BaseEvent], dict[str, Any]] = {
    events.RunStarted: {"parent_run_id": st.none() | TEXT},
    events.RunError: {"message": TEXT, "code": st.none() | TEXT},
    events.StepFinished: {"step_name": TEXT},
    events.TextMessageEnd: {"message_id": TEXT},
    events.ToolCallEnd: {"tool_call_id": TEXT, "metadata": st.sampled_from([None, INTERRUPTED])},
    events.ReasoningMessageEnd: {"message_id": TEXT},
    events.ReasoningEnd: {"message_id": TEXT},
}
EVENTS = st.one_of([st.tuples(st.just(model), st.fixed_dictionaries(members)) for model, members in MEMBERS.items()])


@pytest.mark.parametrize("model", get_args(get_args(events.Event)[0]))
def test_it_has_the_attributes_of_every_model(model: type[events.BaseEvent]) -> None:
    fields = {name: str(field.alias) for name, field in model.model_fields.items()}
    plain = PlainEvent({alias: alias for alias in fields.values()})
    assert {name: getattr(plain, name) for name in fields} == fields


@given(EVENTS)
def test_it_is_written_as_its_model(event: tuple[type[events.BaseEvent], dict[str, Any]]) -> None:
    """EVT-08, EVT-16, EVT-17: what ends a run, and RUN_STARTED."""
    model, drawn = event
    members = {name: drawn[name] for name in MEMBERS[model]}  # in the order of the model
    with_model = model(**IDS, **members)
    plain = PlainEvent.of(with_model.type, IDS, **members)
    assert plain.line == events.encode(with_model)
    read = PlainEvent.read(plain.line)
    assert read == plain
    assert {name: getattr(read, name) for name in (*IDS, *members)} == {**IDS, **members}
