"""The formats of an event stream: what a client that names none gets, and with the schemas of cards."""

import json
from typing import Final

import pytest

from yarrow.protocol.events import sse
from yarrow.protocol.ui_schema.compiler import ui_schema
from yarrow.protocol.ui_schema.hints import memory_card
from yarrow.runs.stream_events import Subscription
from yarrow.settings import settings
from yarrow.store import journal
from yarrow.store.limits import stream_slots
from yarrow.web.streams.journal_polling import PolledEvents
from yarrow.web.streams.stream_formats import PROFILES, formatter

SUBSCRIPTION: Final = Subscription("key", 0, journal.Position(), 300, None, stream_slots.Slot("alice", "slot"))
BARE: Final = {"type": "TEXT_MESSAGE_END", "threadId": "t", "runId": "r", "messageId": "m"}
HINTS: Final = {"cards": [memory_card("saved", "茶")]}
OTHER: Final = '{"type":"RUN_FINISHED","threadId":"t","runId":"r"}'


def frame(profile: str | None, line: str) -> bytes:
    return formatter(profile)(SUBSCRIPTION)[1].frames(PolledEvents([(7, line)], True, False), 6)


def test_the_native_profile_has_the_schema_of_a_message(monkeypatch: pytest.MonkeyPatch) -> None:
    """UIS-04: It is added to TEXT_MESSAGE_END alone."""
    monkeypatch.setitem(settings.__dict__, "default_locale", "en")
    line = json.dumps({**BARE, "ui_hints": HINTS}, separators=(",", ":"))
    *head, data = frame("native", line).decode().rstrip().split("\n")
    assert head == ["id: 7", "event: TEXT_MESSAGE_END"]
    assert json.loads(data.removeprefix("data: ")) == {**BARE, "ui_schema": ui_schema({"ui_hints": HINTS})}
    assert frame("native", OTHER) == frame(None, OTHER) == sse.frame(7, OTHER)
    assert "native" in PROFILES


def test_without_a_profile_nothing_is_added() -> None:
    """EVT-03, UIS-04: The bytes are those without hints."""
    bare, line = (json.dumps(item, separators=(",", ":")) for item in (BARE, {**BARE, "ui_hints": HINTS}))
    assert frame(None, line) == frame(None, bare) == sse.frame(7, bare)
