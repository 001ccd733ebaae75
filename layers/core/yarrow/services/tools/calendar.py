"""The calendar tools of a session.

Each call that gives a time names its time zone, without a default (FWD-09, FWD-10); the agent chooses it (FWD-07).
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Annotated, Any
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, Field, StringConstraints

from yarrow.protocol.runner.api import AgentAPIException
from yarrow.protocol.runner.tools import TimeZoneName, ToolContext, WithCard
from yarrow.protocol.ui_schema.hints import event_card, event_item, events_card
from yarrow.services.api.errors import invalid_argument
from yarrow.store import calendar
from yarrow.store.calendar import CalendarEvent

_MINUTES_OF_A_WEEK = 7 * 24 * 60

Title = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]
LocalTime = Annotated[datetime, Field(description="When it begins in event_timezone, e.g. 2026-03-17T09:00:00.")]
Minutes = Annotated[int, Field(ge=1, le=_MINUTES_OF_A_WEEK)]
Notes = Annotated[str, StringConstraints(max_length=2_000)]


def _known_id(event_id: str) -> str:
    if not calendar.is_id(event_id):
        raise ValueError("not an event id; calendar_read lists them")
    return event_id


EventId = Annotated[
    str, AfterValidator(_known_id), Field(description="As returned by calendar_write or calendar_read.")
]


def calendar_write(
    context: ToolContext,
    title: Title,
    starts_at: LocalTime,
    event_timezone: TimeZoneName,
    duration_minutes: Minutes = 60,
    notes: Notes | None = None,
) -> WithCard:
    """Write an event into the calendar of this conversation. To write the same event again changes nothing."""
    begins = _moment("starts_at", starts_at, event_timezone)
    event = CalendarEvent(title, begins, _later(begins, timedelta(minutes=duration_minutes)), event_timezone, notes)
    is_new = calendar.add(context.thread_id, context.run_id, event, context.key)
    card = event_card("created" if is_new else "unchanged", **_card_members(event))
    return WithCard({**_described(context, event), "already_there": not is_new}, card)


def calendar_update(
    context: ToolContext,
    event_id: EventId,
    event_timezone: Annotated[TimeZoneName, Field(description="The time zone of starts_at, e.g. Asia/Shanghai.")],
    title: Title | None = None,
    starts_at: LocalTime | None = None,
    duration_minutes: Minutes | None = None,
    notes: Annotated[Notes | None, Field(description="Empty to remove them.")] = None,
) -> WithCard:
    """Change an event of the calendar of this conversation: only what is given changes. Its id changes with it."""
    begins = None if starts_at is None else _moment("starts_at", starts_at, event_timezone)

    def changed(event: CalendarEvent) -> CalendarEvent:
        lasts = event.ends_at - event.starts_at if duration_minutes is None else timedelta(minutes=duration_minutes)
        start = event.starts_at if begins is None else begins
        zone = event.event_timezone if begins is None else event_timezone
        return replace(
            event,
            title=title or event.title,
            starts_at=start,
            ends_at=_later(start.astimezone(ZoneInfo(zone)), lasts),
            event_timezone=zone,
            notes=event.notes if notes is None else notes or None,
        )

    done = _change(context, event_id, changed)
    if done.event is None:
        raise _no_event()
    card = event_card("updated", **_card_members(done.event))
    return WithCard({**_described(context, done.event), "changed": done.is_new}, card)


def calendar_delete(context: ToolContext, event_id: EventId) -> WithCard:
    """Delete an event from the calendar of this conversation, for good."""
    done = _change(context, event_id, lambda _: None)
    described = {"event_id": event_id} if done.before is None else _described(context, done.before)
    card = None if done.before is None else event_card("deleted", **_card_members(done.before))
    return WithCard({**described, "deleted": True, "already_gone": not done.is_new}, card)


def _change(
    context: ToolContext, event_id: str, changed: Callable[[CalendarEvent], CalendarEvent | None]
) -> calendar.ChangedEvent:
    try:
        done = calendar.change(context.thread_id, context.run_id, event_id, changed, context.key)
    except calendar.CalendarBusyError:
        raise AgentAPIException("runtime_error", "the event is being changed by others", retryable=True) from None
    if done is None:
        raise _no_event()
    return done


def _no_event() -> AgentAPIException:
    return AgentAPIException("not_found", "there is no such event; calendar_read lists the events")


def calendar_read(
    context: ToolContext,
    day: Annotated[date, Field(description="The first day, e.g. 2026-03-17.")],
    event_timezone: TimeZoneName,
    days: Annotated[int, Field(ge=1, le=31, description="How many days.")] = 1,
) -> WithCard:
    """List what begins on some days of the calendar of this conversation, earliest first."""
    try:
        since, until = (datetime.combine(bound, time()) for bound in (day, day + timedelta(days=days)))
        zone = ZoneInfo(event_timezone)
        found = calendar.between(context.thread_id, since.replace(tzinfo=zone), until.replace(tzinfo=zone))
        events = list(found)
    except OverflowError:
        raise invalid_argument("day", "is out of range") from None
    items = [_card_members(event) for event in events]
    card = event_card("found", **items[0]) if len(items) == 1 else events_card([event_item(**item) for item in items])
    return WithCard([_described(context, event) for event in events], card)


def _later(begins: datetime, by: timedelta) -> datetime:
    """Add a duration, in the time zone of `begins`."""
    try:
        return (begins.astimezone(UTC) + by).astimezone(begins.tzinfo)
    except OverflowError:
        raise invalid_argument("starts_at", "is out of range") from None


def _moment(member: str, value: datetime, time_zone: str) -> datetime:
    """Return a local time in a time zone, or an instant converted to it.

    An ambiguous time is the first of the two; one that a clock change skips raises `invalid_argument`.
    """
    zone = ZoneInfo(time_zone)
    try:
        moment = (value if value.tzinfo else value.replace(tzinfo=zone)).astimezone(UTC).astimezone(zone)
    except OverflowError:
        raise invalid_argument(member, "is out of range") from None
    if value.tzinfo is None and moment.replace(tzinfo=None) != value:
        raise invalid_argument(member, "is a time that clocks skip on that day in event_timezone")
    return moment


def _described(context: ToolContext, event: CalendarEvent) -> dict[str, Any]:
    return {
        "event_id": event.id_in(context.thread_id),
        "title": event.title,
        "starts_at": event.starts_at.isoformat(),
        "ends_at": event.ends_at.isoformat(),
        "event_timezone": event.event_timezone,
        **({} if event.notes is None else {"notes": event.notes}),
    }


def _card_members(event: CalendarEvent) -> dict[str, str]:
    """Return an event's members for its card, with wall-clock times."""
    starts, ends = (moment.replace(tzinfo=None) for moment in (event.starts_at, event.ends_at))
    return {
        "title": event.title,
        "starts_at": starts.isoformat(" ", "minutes"),
        "ends_at": ends.isoformat(" ", "minutes"),
        "time_zone": event.event_timezone,
        "notes": event.notes or "",
    }
