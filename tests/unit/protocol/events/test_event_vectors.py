"""Every event as bytes: stored, framed, and in AG-UI form, as clients have got them since the first release."""

import json
from functools import partial
from typing import Any, Final

import pytest

from tests.support.paths import ROOT
from yarrow.packages import declared, event_types
from yarrow.protocol.agui.events import Profile
from yarrow.protocol.events import events, sse, subagents
from yarrow.protocol.ui_schema import event_lines
from yarrow.protocol.ui_schema.compiler import ui_schema

RECORDED: Final = json.loads((ROOT / "tests/unit/protocol/events/event_vectors.json").read_text("utf-8"))
IDS: Final[events.RunIds] = RECORDED["ids"]
VECTORS: Final[list[dict[str, Any]]] = RECORDED["vectors"]


def made(vector: dict[str, Any]) -> events.Event:
    name, members = vector["event"], vector["members"]
    if (own := event_types.find(name)) is not None:
        return own.event(IDS, members)
    event: events.Event = getattr(subagents if name.startswith("Subagent") else events, name)(**IDS, **members)
    return event


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["event"])
def test_an_event_is_the_bytes_that_it_was(vector: dict[str, Any]) -> None:
    """EVT-16, EVT-18, EVT-25."""
    event, stored = made(vector), vector["stored"]
    assert events.encode(event) == stored
    assert events.encode(events.decode(stored)) == stored
    assert events.encode_document(events.document(event)) == stored


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["event"])
def test_a_client_gets_the_bytes_that_it_got(vector: dict[str, Any]) -> None:
    """EVT-03, EVT-07, EVT-28, DIV-33a, C11, UIS-04."""
    stored = vector["stored"]
    assert Profile(IDS, event_types.find, "client", "1.0").line(stored) == vector["agui"]
    assert Profile(IDS, event_types.find).line(stored) == vector["agui_before_1_0"]
    assert sse.frame(7, event_lines.without_hints(stored)).decode() == vector["native"]
    assert (
        sse.frame(7, event_lines.with_schema(stored, partial(ui_schema, locale="zh-CN"))).decode() == vector["schemas"]
    )


def test_there_is_a_vector_of_every_event() -> None:
    assert {event.__name__ for event in (*events.EVENTS, *subagents.EVENTS)} | set(
        declared.bundled(event_types.ENTRY_POINTS)
    ) == {vector["event"] for vector in VECTORS}
