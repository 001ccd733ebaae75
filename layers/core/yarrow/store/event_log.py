"""A session's log of what triggered its runs, in order of arrival (RNR-58). The runs' own events are in `journal`."""

import hashlib
import re
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import TYPE_CHECKING, Final

from yarrow.store import cursor, table
from yarrow.store.branches import Path

if TYPE_CHECKING:  # imported where used: submitting a run logs an event and reads none
    from mypy_boto3_dynamodb.type_defs import TransactWriteItemTypeDef as WriteItem

    from yarrow.protocol.runner.api import EventEnvelope, EventPage

PAGE_CAP: Final = 100
SUMMARY_CHARACTERS: Final = 1_000

_ID = re.compile(r"[0-9a-f]{32}")
_LAST = 2**128 - 1


@dataclass(frozen=True, slots=True)
class LoggedEvent:
    """`arrived_at` is by `clock.now_iso`; `event_time` is the source's, in seconds since the epoch."""

    thread_id: str
    run_key: str
    arrived_at: str
    event_type: str
    source: str
    source_event_type: str | None = None
    event_time: int | None = None
    actor_type: str | None = None
    actor_id: str | None = None
    subject_type: str | None = None
    subject_id: str | None = None
    summary: str = ""
    seq: int | None = None
    """Of the thread's last message, including the event's own."""

    @property
    def event_id(self) -> str:
        return event_id(self.run_key, self.arrived_at)


def event_id(run_key: str, arrived_at: str) -> str:
    """Opaque: fixed length, ordered by arrival, deterministic."""
    arrival = round(datetime.fromisoformat(arrived_at).timestamp() * 1000)
    return f"{arrival:012x}{hashlib.sha256(run_key.encode()).hexdigest()[:20]}"


def record(event: LoggedEvent) -> "WriteItem":
    """Idempotent."""
    return table.put(
        {
            **table.logged_key(event.thread_id, event.event_id),
            "event_type": event.event_type,
            "event_time": event.event_time,
            "source": event.source,
            "source_event_type": event.source_event_type,
            "thread_id": event.thread_id,
            "actor_type": event.actor_type,
            "actor_id": event.actor_id,
            "subject_type": event.subject_type,
            "subject_id": event.subject_id,
            "summary": event.summary[:SUMMARY_CHARACTERS],
            "run_key": event.run_key,
            "seq": event.seq,
        }
    )


def run_key_of(thread_id: str, event_id: str) -> str | None:
    """The run that an event triggered; None if the event is missing."""
    item = table.get(table.logged_key(thread_id, event_id))
    return None if item is None else item["run_key"]


def get(thread_id: str, event_id: str, path: Path | None = None) -> "EventEnvelope | None":
    """None if missing, or not on the path."""
    item = table.get(table.logged_key(thread_id, event_id)) if _ID.fullmatch(event_id) else None
    return None if item is None or not _is_on(path, item) else _envelope(item)


def page(thread_id: str, before_cursor: str | None = None, limit: int = 50, path: Path | None = None) -> "EventPage":
    """Newest first, at most PAGE_CAP; `next_cursor` continues with earlier ones.

    Raises AgentAPIException `invalid_argument` for a cursor of another log.
    """
    from yarrow.protocol.runner.api import EventPage

    limit = min(limit, PAGE_CAP)
    latest = _LAST if before_cursor is None else max(cursor.decode("event_log", thread_id, before_cursor) - 1, 0)
    start, end = table.logged_key(thread_id, f"{0:032x}"), table.logged_key(thread_id, f"{latest:032x}")
    most = limit + 1 if path is None else None
    found = table.query(start["pk"], start=start["sk"], before=end["sk"], limit=most, newest_first=True)
    events = [_envelope(item) for item in islice((item for item in found if _is_on(path, item)), limit + 1)]
    has_more = len(events) > limit
    return EventPage(
        items=tuple(events[:limit]), next_cursor=events[limit - 1].cursor if has_more else None, has_more=has_more
    )


def _is_on(path: Path | None, item: table.Item) -> bool:
    return path is None or "seq" not in item or item["seq"] == 0 or path.holds(int(item["seq"]))


def _envelope(item: table.Item) -> "EventEnvelope":
    from yarrow.protocol.runner.api import EventEnvelope

    event_id = item["sk"].removeprefix("LOGGED#")
    time = item.get("event_time")
    return EventEnvelope(
        event_id=event_id,
        event_type=item["event_type"],
        event_time=None if time is None else int(time),
        source=item["source"],
        conversation_id=item["thread_id"],
        actor_type=item.get("actor_type"),
        actor_id=item.get("actor_id"),
        summary=item["summary"],
        cursor=cursor.encode("event_log", item["thread_id"], int(event_id, 16)),
        raw_ref={"ref_id": item["run_key"]},
    )
