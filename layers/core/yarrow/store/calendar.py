"""Calendar events of a session, ordered by start. A key is the start and a hash of the content: writing an event twice
stores it once. A change moves the event to another key, in one transaction, and leaves a note at the old one for
NOTE_DAYS, so that old ids and repeated changes find it.
"""

import hashlib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from yarrow.formats import json_text
from yarrow.store import clock, table
from yarrow.store.items.records import Codec, Form, stored_as
from yarrow.store.items.updates import EXISTS, IS_NEW
from yarrow.store.runner import kept_once

MAX_PAGE: Final = 100
NOTE_DAYS: Final = 30
MAX_MOVES: Final = 16
"""The most moves that are followed from an old id."""
_TRIES: Final = 5
_REMOVED: Final = "REMOVED_EVENT"
"""The kind of what a run keeps of a step that deleted an event."""

_ID: Final = re.compile(r"(\d{4})(\d\d)(\d\dT\d\d)(\d\d)(\d\d)(?:\.(\d{6}))?-([0-9a-f]{32})")


class CalendarBusyError(Exception):
    """Others kept changing the event."""


_TIME: Final = Form(datetime.isoformat, datetime.fromisoformat)


@dataclass(frozen=True, slots=True)
class CalendarEvent:
    """Times have the offset of `event_timezone`, an IANA name, at that time (SEC-08)."""

    title: str
    starts_at: datetime = field(metadata=stored_as("starts_at", _TIME))
    ends_at: datetime = field(metadata=stored_as("ends_at", _TIME))
    event_timezone: str
    notes: str | None = None

    def id_in(self, thread_id: str) -> str:
        """Return the start and a hash: the same for equal events of a session."""
        facts = [
            thread_id.lower(),
            self.title,
            _utc(self.starts_at),
            _utc(self.ends_at),
            self.event_timezone,
            self.notes,
        ]
        digest = hashlib.sha256(json_text.canonical(facts).encode()).hexdigest()[:32]
        start = re.sub("[-:]", "", _utc(self.starts_at).partition("+")[0]).removesuffix(".000000")
        return f"{start}-{digest}"


_EVENTS: Final = Codec(CalendarEvent)


@dataclass(frozen=True, slots=True)
class ChangedEvent:
    """`event` is None if it is deleted, `is_new` False if the change was made before.

    `before` is the event before it was deleted, if known.
    """

    event: CalendarEvent | None
    is_new: bool
    before: CalendarEvent | None = None


def is_id(text: str) -> bool:
    return _ID.fullmatch(text) is not None


def add(thread_id: str, run_key: str, event: CalendarEvent, step_key: str | None = None) -> bool:
    """Store an event; False if it exists, unless the step of this key stored it."""
    item = _item(thread_id, run_key, event, step_key)
    try:
        table.put_alone(item, IS_NEW)
    except table.ConditionFailedError:
        return _is_of(table.get({"pk": item["pk"], "sk": item["sk"]}), step_key)
    return True


def between(thread_id: str, since: datetime, until: datetime) -> Iterator[CalendarEvent]:
    """Read the first MAX_PAGE events that start in [`since`, `until`)."""
    start, end = _key(thread_id, _utc(since)), _key(thread_id, _utc(until))
    yield from map(_EVENTS.record, table.query(start["pk"], start=start["sk"], before=end["sk"], limit=MAX_PAGE))


def change(
    thread_id: str,
    run_key: str,
    event_id: str,
    changed: Callable[[CalendarEvent], CalendarEvent | None],
    step_key: str | None = None,
) -> ChangedEvent | None:
    """Replace an event by the result of `changed`, or delete it if that is None; None if there is none. A change by the
    step of this key counts as new. `changed` is called again after others' changes. Raises CalendarBusyError, and what
    it raises.
    """
    for _ in range(_TRIES):
        place, item = _find(thread_id, _place(event_id))
        if item is None:
            return None if place is None else _removed(run_key, step_key) or ChangedEvent(None, is_new=False)
        before = _EVENTS.record(item)
        after = changed(before)
        if after == before:
            return ChangedEvent(after, is_new=_is_of(item, step_key))
        new = None if after is None else _item(thread_id, run_key, after, step_key)
        note = {
            **_note_key(thread_id, str(place)),
            "moved_to": None if new is None else new["sk"].removeprefix("CALENDAR#"),
            "expires_at": clock.epoch_in(NOTE_DAYS),
        }
        items = [table.delete({"pk": item["pk"], "sk": item["sk"]}, EXISTS), table.put(note)]
        if new is not None:
            items.append(table.put(new))
        elif step_key is not None:
            items.append(kept_once.put(run_key, _REMOVED, step_key, _EVENTS.item(before)))
        try:
            table.transact(*items)
        except table.ConditionFailedError:
            if new is None and (removed := _removed(run_key, step_key)) is not None:
                return removed
            continue
        return ChangedEvent(after, is_new=True, before=before)
    raise CalendarBusyError


def _removed(run_key: str, step_key: str | None) -> ChangedEvent | None:
    """Return what the step of this key in the run has deleted; None if it has deleted nothing."""
    kept = None if step_key is None else kept_once.read(run_key, _REMOVED, step_key)
    return None if kept is None else ChangedEvent(None, is_new=True, before=_EVENTS.record(kept))


def _find(thread_id: str, place: str) -> tuple[str | None, table.Item | None]:
    """Return the place and item of an event, by a present or former place: no item if deleted, neither if unknown."""
    for _ in range(MAX_MOVES):
        item = table.get(_key(thread_id, place))
        if item is not None:
            return place, item
        note = table.get(_note_key(thread_id, place))
        if note is None:
            return None, None
        if "moved_to" not in note:
            return place, None
        place = note["moved_to"]
    return None, None


def _item(thread_id: str, run_key: str, event: CalendarEvent, step_key: str | None) -> table.Item:
    by = {"run_key": run_key} if step_key is None else {"run_key": run_key, "step_key": step_key}
    return {**_key(thread_id, _place(event.id_in(thread_id))), **_EVENTS.item(event), **by}


def _is_of(item: table.Item | None, step_key: str | None) -> bool:
    return item is not None and step_key is not None and item.get("step_key") == step_key


def _place(event_id: str) -> str:
    """Return an event's sort key. Raises ValueError for an invalid id."""
    match = _ID.fullmatch(event_id)
    if match is None:
        raise ValueError("not an id of an event")
    year, month, day_and_hour, minute, second, fraction, digest = match.groups()
    return f"{year}-{month}-{day_and_hour}:{minute}:{second}.{fraction or '000000'}+00:00#{digest}"


def _key(thread_id: str, place: str) -> table.Item:
    return {"pk": table.session_partition(thread_id), "sk": f"CALENDAR#{place}"}


def _note_key(thread_id: str, place: str) -> table.Item:
    return {"pk": table.session_partition(thread_id), "sk": f"CALENDAR_MOVED#{place}"}


def _utc(moment: datetime) -> str:
    """Format with microseconds, so that text order is time order."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds")
