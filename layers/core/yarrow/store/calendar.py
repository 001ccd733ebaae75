"""The calendar of a session: events its runs wrote, ordered by start.

The caller decides an event's time zone.
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
    """One event. Both times have the offset of `event_timezone`, an IANA name, at that time (SEC-08)."""

    title: str
    starts_at: datetime
    ends_at: datetime
    event_timezone: str
    notes: str | None = None

    def id_in(self, thread_id: str) -> str:
        """Its id: the same for equal events of a session."""
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
    """Store a run's event. False if it exists."""
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
    """The first PAGE_CAP events that start in [`since`, `until`)."""
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
    """In UTC with microseconds, so that text order is time order."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds")
