"""The calendar of a session: the events that its runs wrote, in the order of their beginnings.

It is the session's own and no user's calendar elsewhere. Whose time zone an event has is decided before it gets here.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from yarrow.formats import json_text
from yarrow.store import table

PAGE_CAP: Final = 100


@dataclass(frozen=True, slots=True)
class CalendarEvent:
    """One event. Both moments have the offset of `event_timezone`, an IANA name, at that moment (SEC-08)."""

    title: str
    starts_at: datetime
    ends_at: datetime
    event_timezone: str
    notes: str | None = None

    def id_in(self, thread_id: str) -> str:
        """Its id: the same whenever the same event is written in the session, by whichever run."""
        facts = [
            thread_id.lower(),
            self.title,
            _utc(self.starts_at),
            _utc(self.ends_at),
            self.event_timezone,
            self.notes,
        ]
        return hashlib.sha256(json_text.canonical(facts).encode()).hexdigest()[:32]


def add(thread_id: str, run_key: str, event: CalendarEvent) -> bool:
    """Write an event of a run. False when it is there already, which changes nothing."""
    event_id = event.id_in(thread_id)
    item = {
        **_key(thread_id, f"{_utc(event.starts_at)}#{event_id}"),
        "title": event.title,
        "starts_at": event.starts_at.isoformat(),
        "ends_at": event.ends_at.isoformat(),
        "event_timezone": event.event_timezone,
        "notes": event.notes,
        "run_key": run_key,
    }
    try:
        table.put_alone(item, "attribute_not_exists(pk)")
    except table.ConditionFailedError:
        return False
    return True


def between(thread_id: str, since: datetime, until: datetime) -> Iterator[CalendarEvent]:
    """The first PAGE_CAP events that begin from `since` on and before `until`."""
    start, end = _key(thread_id, _utc(since)), _key(thread_id, _utc(until))
    for item in table.query(start["pk"], start=start["sk"], before=end["sk"], limit=PAGE_CAP):
        yield CalendarEvent(
            title=item["title"],
            starts_at=datetime.fromisoformat(item["starts_at"]),
            ends_at=datetime.fromisoformat(item["ends_at"]),
            event_timezone=item["event_timezone"],
            notes=item.get("notes"),
        )


def _key(thread_id: str, place: str) -> table.Item:
    return {"pk": table.session_partition(thread_id), "sk": f"CALENDAR#{place}"}


def _utc(moment: datetime) -> str:
    """A moment in UTC, to the microsecond, so that the order of the texts is that of the moments."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds")
