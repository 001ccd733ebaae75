"""When an event of the calendar is: in the time zone its call names, and in no other."""

import asyncio
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from yarrow.protocol.runner.api import AgentAPIError, AgentAPIException
from yarrow.protocol.runner.tools import TimeZones, ToolContext
from yarrow.services.tools.builtin import TOOLS
from yarrow.store import calendar
from yarrow.store.calendar import CalendarEvent

CONTEXT = ToolContext("alice", "thread", "run", TimeZones("Asia/Shanghai", "Asia/Tokyo"))
EVENT = {"title": "开会", "starts_at": "2026-03-17T09:00:00", "event_timezone": "America/Los_Angeles"}


@pytest.fixture(params=["America/New_York", "Asia/Kolkata"], autouse=True)
def server(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A server that stands somewhere."""
    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.fixture(autouse=True)
def written(monkeypatch: pytest.MonkeyPatch) -> dict[str, CalendarEvent]:
    """Return the calendar, in memory, by the ids of its events."""
    events: dict[str, CalendarEvent] = {}

    def add(thread_id: str, run_key: str, event: CalendarEvent, step_key: str | None) -> bool:
        assert (thread_id, run_key) == ("thread", "run")
        is_new = event.id_in(thread_id) not in events
        events[event.id_in(thread_id)] = event
        return is_new

    def between(_: str, since: datetime, until: datetime) -> list[CalendarEvent]:
        return [event for event in events.values() if since <= event.starts_at < until]

    monkeypatch.setattr(calendar, "add", add)
    monkeypatch.setattr(calendar, "between", between)
    return events


def call(name: str = "calendar_write", **members: Any) -> Any:
    arguments = {**(EVENT if name == "calendar_write" else {}), **members}
    return asyncio.run(
        TOOLS.call(name, {member: argument for member, argument in arguments.items() if argument is not None}, CONTEXT)
    )


def refusal(**members: Any) -> AgentAPIError:
    with pytest.raises(AgentAPIException) as refused:
        call(**members)
    return refused.value.error


def test_an_event_is_written_as_the_clocks_show_it_where_it_is(written: dict[str, CalendarEvent]) -> None:
    """FWD-09, FWD-10, SEC-08: with its offset, wherever user and server are."""
    output = call(duration_minutes=90, notes="带上合同")
    (event_id,) = written
    assert output == {
        "event_id": event_id,
        "title": "开会",
        "starts_at": "2026-03-17T09:00:00-07:00",
        "ends_at": "2026-03-17T10:30:00-07:00",
        "event_timezone": "America/Los_Angeles",
        "notes": "带上合同",
        "already_there": False,
    }


def test_an_event_without_a_time_zone_is_refused(written: dict[str, CalendarEvent]) -> None:
    """FWD-10: the tool has no default, though it could know of one."""
    error = refusal(event_timezone=None)
    assert (error.code, error.details) == ("invalid_argument", {"member": "event_timezone"})
    assert refusal(event_timezone="").code == refusal(event_timezone="local").code == "invalid_argument"
    assert written == {}
    detail = TOOLS.detail("calendar_write")
    assert detail is not None
    assert "event_timezone" in detail.parameters["required"]
    assert "default" not in detail.parameters["properties"]["event_timezone"]


def test_the_same_event_is_written_once(written: dict[str, CalendarEvent]) -> None:
    """CMP-11: a run that is worked on again writes nothing anew; another event is another."""
    first, again = call(), call()
    assert again == {**first, "already_there": True}
    call(title="吃饭")
    assert len(written) == 2


@pytest.mark.parametrize(
    ("starts_at", "zone", "begins"),
    [
        ("2026-03-17T09:00:00", "Asia/Kolkata", "2026-03-17T09:00:00+05:30"),
        ("2026-03-17T09:00", "UTC", "2026-03-17T09:00:00+00:00"),
        # A time with an offset is a moment, and is shown where the event is.
        ("2026-03-17T09:00:00Z", "Asia/Shanghai", "2026-03-17T17:00:00+08:00"),
        ("2026-03-17T09:00:00-07:00", "America/Los_Angeles", "2026-03-17T09:00:00-07:00"),
        # Clocks are put back: the first of the two.
        ("2026-11-01T01:30:00", "America/Los_Angeles", "2026-11-01T01:30:00-07:00"),
        ("2026-11-01T01:30:00-08:00", "America/Los_Angeles", "2026-11-01T01:30:00-08:00"),
    ],
)
def test_a_time_is_that_of_the_time_zone(starts_at: str, zone: str, begins: str) -> None:
    """FWD-07, FWD-09."""
    assert call(starts_at=starts_at, event_timezone=zone)["starts_at"] == begins


def test_an_event_lasts_as_long_as_it_says_though_clocks_are_changed() -> None:
    """FWD-09."""
    output = call(starts_at="2026-03-08T01:30:00", duration_minutes=60)
    assert output["ends_at"] == "2026-03-08T03:30:00-07:00"


@pytest.mark.parametrize(
    ("members", "member"),
    [
        ({"starts_at": "2026-03-08T02:30:00"}, "starts_at"),  # the clocks skip it
        ({"starts_at": "9999-12-31T23:30:00"}, "starts_at"),
        ({"starts_at": "9999-12-31T15:30:00"}, "starts_at"),
        ({"starts_at": "0001-01-01T00:00:00", "event_timezone": "Asia/Shanghai"}, "starts_at"),
        ({"starts_at": "tomorrow"}, "starts_at"),
        ({"title": " "}, "title"),
        ({"title": "x" * 201}, "title"),
        ({"notes": "x" * 2_001}, "notes"),
        ({"duration_minutes": 0}, "duration_minutes"),
        ({"duration_minutes": 10_081}, "duration_minutes"),
        ({"user_id": "bob"}, "parameters"),
    ],
)
def test_what_is_no_event_is_refused(members: dict[str, Any], member: str) -> None:
    """RNR-53."""
    error = refusal(**members)
    assert (error.code, error.details) == ("invalid_argument", {"member": member})


def test_days_are_read_as_they_are_where_they_are_asked_for() -> None:
    """FWD-09: A day lasts from midnight there to midnight there."""
    for starts_at in ("2026-03-16T23:59:00", "2026-03-17T00:00:00", "2026-03-17T23:59:00", "2026-03-18T00:00:00"):
        call(starts_at=starts_at, event_timezone="Asia/Shanghai", title=starts_at)

    def read(**members: Any) -> list[str]:
        found = call("calendar_read", **{"day": "2026-03-17", "event_timezone": "Asia/Shanghai", **members})
        return [event["title"] for event in found]

    assert read() == ["2026-03-17T00:00:00", "2026-03-17T23:59:00"]
    assert len(read(days=2)) == 3
    assert read(event_timezone="UTC") == ["2026-03-17T23:59:00", "2026-03-18T00:00:00"]
    for wrong in ({"day": "9999-12-31"}, {"days": 32}, {"event_timezone": None}):
        with pytest.raises(AgentAPIException, match="invalid_argument"):
            read(**wrong)


def test_an_id_stands_for_an_event_of_a_session() -> None:
    """CMP-11: whichever run writes it."""
    moment = datetime(2026, 3, 17, 9, tzinfo=UTC)
    event = CalendarEvent("x", moment, moment, "UTC")
    assert event.id_in("thread") == CalendarEvent("x", moment, moment, "UTC").id_in("THREAD")
    assert event.id_in("thread") != event.id_in("another")
    assert event.id_in("thread") != CalendarEvent("x", moment, moment, "UTC", "notes").id_in("thread")
