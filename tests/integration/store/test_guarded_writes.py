"""What is stored once is not stored again: the answer of a second write is that of the first."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from yarrow.store import calendar, clock, sessions, table, uploads

pytestmark = pytest.mark.usefixtures("aws")

THREAD = "550e8400-e29b-41d4-a716-446655440000"


def test_a_place_in_a_session_is_taken_once() -> None:
    """Two transactions with a message of the same number are one."""
    first = sessions.StoredMessage("m-1", THREAD, 1, "user", "first", clock.now_iso())
    table.transact(sessions.add_message(first))
    with pytest.raises(table.ConditionFailedError):
        table.transact(sessions.add_message(replace(first, id="m-2", content="second")))
    assert [message.content for message in sessions.messages(THREAD)] == ["first"]


def test_an_upload_that_is_finished_twice_is_what_was_stored_first() -> None:
    """ATT-03."""
    uploads.announce("alice", "up", uploads.StoredUpload(THREAD, "plate", "image/png", None))
    first = uploads.StoredUpload(THREAD, "plate", None, "inputs/a.png")
    assert uploads.finish("alice", "up", first) == first
    stored = uploads.finish("alice", "up", replace(first, path="inputs/b.png"))
    assert stored.path == "inputs/a.png"
    assert uploads.read("alice", "up") == stored


def test_an_event_that_is_added_twice_says_so() -> None:
    """By equal words at an equal time; one later is another."""
    start = datetime(2026, 11, 2, 9, tzinfo=UTC)
    event = calendar.CalendarEvent("standup", start, start + timedelta(hours=1), "UTC")
    assert [calendar.add(THREAD, "run", calendar_event) for calendar_event in (event, event)] == [True, False]
    later = replace(event, starts_at=start + timedelta(minutes=1))
    assert calendar.add(THREAD, "run", later)
    assert len(list(calendar.between(THREAD, start, start + timedelta(days=1)))) == 2
