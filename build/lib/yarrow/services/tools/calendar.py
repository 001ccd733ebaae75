"""The calendar tools of a session.

Each call names the time zone of its event; there is no default, and a call without one is refused (FWD-09, FWD-10).
Choosing it is the agent's task (FWD-07).
"""

from datetime import UTC, date, datetime, time, timedelta
from typing import Annotated, Any
from zoneinfo import ZoneInfo

from pydantic import Field, StringConstraints

from yarrow.services.api.errors import invalid_argument
from yarrow.services.tools.context import TimeZoneName, ToolContext
from yarrow.store import calendar
from yarrow.store.calendar import CalendarEvent

_MINUTES_OF_A_WEEK = 7 * 24 * 60


def calendar_write(
    context: ToolContext,
    title: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)],
    starts_at: Annotated[datetime, Field(description="When it begins in event_timezone, e.g. 2026-03-17T09:00:00.")],
    event_timezone: TimeZoneName,
    duration_minutes: Annotated[int, Field(ge=1, le=_MINUTES_OF_A_WEEK)] = 60,
    notes: Annotated[str, StringConstraints(max_length=2_000)] | None = None,
) -> dict[str, Any]:
    """Write an event into the calendar of this conversation. To write the same event again changes nothing."""
    begins = _moment("starts_at", starts_at, event_timezone)
    try:
        ends = (begins.astimezone(UTC) + timedelta(minutes=duration_minutes)).astimezone(begins.tzinfo)
    except OverflowError:
        raise invalid_argument("starts_at", "is out of range") from None
    event = CalendarEvent(title, begins, ends, event_timezone, notes)
    is_new = calendar.add(context.thread_id, context.run_id, event)
    return {"event_id": event.id_in(context.thread_id), **_shown(event), "already_there": not is_new}


def calendar_read(
    context: ToolContext,
    day: Annotated[date, Field(description="The first day, e.g. 2026-03-17.")],
    event_timezone: TimeZoneName,
    days: Annotated[int, Field(ge=1, le=31, description="How many days.")] = 1,
) -> list[dict[str, Any]]:
    """List what begins on some days of the calendar of this conversation, earliest first."""
    try:
        since, until = (datetime.combine(each, time()) for each in (day, day + timedelta(days=days)))
        zone = ZoneInfo(event_timezone)
        found = calendar.between(context.thread_id, since.replace(tzinfo=zone), until.replace(tzinfo=zone))
        return [_shown(event) for event in found]
    except OverflowError:
        raise invalid_argument("day", "is out of range") from None


def _moment(member: str, given: datetime, time_zone: str) -> datetime:
    """A local time in a time zone, or an instant with an offset converted to it.

    An ambiguous time is the first of the two. Raises AgentAPIException `invalid_argument` for a time that a clock
    change skips.
    """
    zone = ZoneInfo(time_zone)
    try:
        moment = (given if given.tzinfo else given.replace(tzinfo=zone)).astimezone(UTC).astimezone(zone)
    except OverflowError:
        raise invalid_argument(member, "is out of range") from None
    if given.tzinfo is None and moment.replace(tzinfo=None) != given:
        raise invalid_argument(member, "is a time that clocks skip on that day in event_timezone")
    return moment


def _shown(event: CalendarEvent) -> dict[str, Any]:
    return {
        "title": event.title,
        "starts_at": event.starts_at.isoformat(),
        "ends_at": event.ends_at.isoformat(),
        "event_timezone": event.event_timezone,
        **({} if event.notes is None else {"notes": event.notes}),
    }
