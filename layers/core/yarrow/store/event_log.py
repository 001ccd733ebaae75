"""What triggered a session's runs, in order of arrival (RNR-58). The runs' own events are in `journal`."""

import hashlib
import re
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import TYPE_CHECKING, Final

from yarrow.store import cursor, table
from yarrow.store.branches import Path
from yarrow.store.items.records import Codec, Form, read_from, stored_as

if TYPE_CHECKING:  # imported where used: submitting a run logs an event but reads none
    from mypy_boto3_dynamodb.type_defs import TransactWriteItemTypeDef as WriteItem

    from yarrow.protocol.runner.api import EventEnvelope, EventPage

MAX_PAGE: Final = 100
SUMMARY_CHARACTERS: Final = 1_000

_ID = re.compile(r"[0-9a-f]{32}")
_LAST = 2**128 - 1

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_SUMMARY: Final = Form(lambda text: text[:SUMMARY_CHARACTERS], str)


def _arrival(sort_key: str) -> str:
    since = timedelta(milliseconds=int(sort_key.removeprefix("LOGGED#")[:12], 16))
    return (_EPOCH + since).isoformat(timespec="milliseconds")


@dataclass(frozen=True, slots=True)
class LoggedEvent:
    """`arrived_at` is from `clock.now_iso`; `event_time` is the source's, in seconds since the epoch."""

    thread_id: str
    run_key: str
    arrived_at: str = field(metadata=read_from("sk", _arrival))
    event_type: str
    source: str
    source_event_type: str | None = None
    event_time: int | None = None
    actor_type: str | None = None
    actor_id: str | None = None
    subject_type: str | None = None
    subject_id: str | None = None
    summary: str = field(default="", metadata=stored_as("summary", _SUMMARY, always=True))
    seq: int | None = None
    """The seq of the thread's last message, the event's own included."""

    @property
    def event_id(self) -> str:
        return event_id(self.run_key, self.arrived_at)


_EVENTS: Final = Codec(LoggedEvent)


def event_id(run_key: str, arrived_at: str) -> str:
    """Derive an id of fixed length, ordered by arrival."""
    arrival = round(datetime.fromisoformat(arrived_at).timestamp() * 1000)
    return f"{arrival:012x}{hashlib.sha256(run_key.encode()).hexdigest()[:20]}"


def record(event: LoggedEvent) -> "WriteItem":
    """Make the item that logs an event; idempotent."""
    return table.put({**table.logged_key(event.thread_id, event.event_id), **_EVENTS.item(event)})


def run_key_of(thread_id: str, event_id: str) -> str | None:
    event = _EVENTS.record_if(table.get(table.logged_key(thread_id, event_id)))
    return None if event is None else event.run_key


def run_keys(thread_id: str) -> set[str]:
    """Return the keys of all runs of a thread: each was triggered by an event."""
    start, end = table.logged_key(thread_id, f"{0:032x}"), table.logged_key(thread_id, f"{_LAST:032x}")
    items = table.query(start["pk"], start=start["sk"], before=end["sk"], attributes=("run_key",))
    return {item["run_key"] for item in items}


def get(thread_id: str, event_id: str, path: Path | None = None) -> "EventEnvelope | None":
    item = table.get(table.logged_key(thread_id, event_id)) if _ID.fullmatch(event_id) else None
    event = _EVENTS.record_if(item)
    return None if event is None or not _is_on(path, event) else _envelope(event)


def page(thread_id: str, before_cursor: str | None = None, limit: int = 50, path: Path | None = None) -> "EventPage":
    """Read at most MAX_PAGE events, newest first. Raises AgentAPIException `invalid_argument` for a cursor of another
    log.
    """
    from yarrow.protocol.runner.api import EventPage

    limit = min(limit, MAX_PAGE)
    latest = _LAST if before_cursor is None else max(cursor.decode("event_log", thread_id, before_cursor) - 1, 0)
    start, end = table.logged_key(thread_id, f"{0:032x}"), table.logged_key(thread_id, f"{latest:032x}")
    most = limit + 1 if path is None else None
    items = table.query(start["pk"], start=start["sk"], before=end["sk"], limit=most, newest_first=True)
    found = (event for event in map(_EVENTS.record, items) if _is_on(path, event))
    events = [_envelope(event) for event in islice(found, limit + 1)]
    has_more = len(events) > limit
    return EventPage(
        items=tuple(events[:limit]), next_cursor=events[limit - 1].cursor if has_more else None, has_more=has_more
    )


def _is_on(path: Path | None, event: LoggedEvent) -> bool:
    return path is None or not event.seq or path.holds(event.seq)


def _envelope(event: LoggedEvent) -> "EventEnvelope":
    from yarrow.protocol.runner.api import EventEnvelope

    return EventEnvelope(
        event_id=event.event_id,
        event_type=event.event_type,
        event_time=event.event_time,
        source=event.source,
        conversation_id=event.thread_id,
        actor_type=event.actor_type,
        actor_id=event.actor_id,
        summary=event.summary,
        cursor=cursor.encode("event_log", event.thread_id, int(event.event_id, 16)),
        raw_ref={"ref_id": event.run_key},
    )
