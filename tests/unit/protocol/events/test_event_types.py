"""Which event types an agent may declare, and what its events are."""

from typing import Any

import pytest
from ag_ui.core import EventType as AgUiType

from yarrow.protocol.events import events
from yarrow.protocol.events.event_types import EventType

IDS: events.RunIds = {"thread_id": "t", "run_id": "r"}
DAY = EventType("WEATHER_DAY", name="acme.day", value="day")


@pytest.mark.parametrize(
    ("type_", "name", "reason"),
    [
        ("CUSTOM", "acme.day", "may declare"),
        ("THINKING_START", "acme.day", "may declare"),
        ("weather", "acme.day", "may declare"),
        ('A"B', "acme.day", "may declare"),
        ("WEATHER_DAY", "day", "must begin with the name"),
        ("WEATHER_DAY", "acme.Day", "must begin with the name"),
    ],
)
def test_a_type_is_its_agents_own(type_: str, name: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        EventType(type_, name=name)


def test_no_type_of_ag_ui_may_be_declared() -> None:
    assert {ag_ui_type.value for ag_ui_type in AgUiType} <= events.AGUI_TYPES


def test_its_event_has_the_members_of_the_data() -> None:
    """EVT-25."""
    event = DAY.event(IDS, {"day": {"high": 9.0}, "note": None})
    line = '{"type":"WEATHER_DAY","threadId":"t","runId":"r","day":{"high":9.0},"note":null}'
    assert events.encode(event) == line
    assert events.decode(line) == event
    assert DAY.value_of(event) == {"high": 9.0}


@pytest.mark.parametrize("data", [None, [], {"note": 1}, {"day": 1, "threadId": "t"}, {"day": 1, "type": "CUSTOM"}])
def test_data_that_cannot_be_its_members_is_refused(data: Any) -> None:
    with pytest.raises(ValueError, match="not the members of WEATHER_DAY"):
        DAY.event(IDS, data)
