"""Subscribes to a run's events: access, cursor, idle limit and stream slot."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta

from yarrow.access import limits, ownership
from yarrow.observability.logs import correlate, logger
from yarrow.observability.metrics import Metric, emit
from yarrow.protocol.events import sse
from yarrow.protocol.problems import Code, Problem
from yarrow.runs.first_event import first_event
from yarrow.settings import settings
from yarrow.store import clock, journal, runs, table
from yarrow.store.limits import stream_slots

DEFAULT_IDLE_SECONDS = 300
MAX_IDLE_SECONDS = 3_600


@dataclass(frozen=True, slots=True)
class Subscription:
    """A run to stream after sequence number `after`. `at` is the journal position to read from, `last` the last event's
    number if the run had ended. `first_event` is sent without being read, and alone if the run `is_queued`. A run that
    `has_rested` has had a turn; its next one begins at `resumes_at`, if it rests.
    """

    run_key: str
    after: int
    at: journal.Position
    idle_seconds: int
    last: int | None
    slot: stream_slots.Slot
    first_event: str | None = None
    is_queued: bool = False
    has_rested: bool = False
    resumes_at: str | None = None

    @property
    def is_over(self) -> bool:
        """Whether the run has ended, and no event comes after `after`."""
        return self.last is not None and self.after >= self.last


def stream_events(
    user_id: str, thread_id: str, run_id: str | None, last_event_id: str | None, idle_limit: str | None
) -> Subscription:
    """Subscribe with a slot (EVT-04, EVT-06). Raises Problem as `ownership.run_of`, 410 for expired events, 422 for a
    bad cursor or idle limit, 429 at the limit of streams.
    """
    run, (slots,) = ownership.run_with(user_id, thread_id, run_id, stream_slots.key(user_id))
    correlate(run_key=run.key)
    check_kept(run)
    after = sse.read_cursor(last_event_id)
    at = journal.position_of(run.key, after) if after else journal.Position()
    if at is None:
        raise sse.not_a_cursor()
    idle_seconds = _idle_seconds(idle_limit)
    slot = take_slot(user_id, run.key, slots)
    logger.info("a stream begins", extra={"after": after})
    if after:
        emit("a stream resumes", {Metric.STREAM_RESUMES: 1}, run_key=run.key)
        subscription = Subscription(run.key, after, at, idle_seconds, run.last_sequence, slot)
        return _with_rest(subscription, run)
    return _from_start(run, slot, idle_seconds)


def subscribe_from_start(run: runs.Run, slot: stream_slots.Slot) -> Subscription:
    """Subscribe to a run that was submitted or repeated. Raises Problem 410 if its events have expired."""
    check_kept(run)
    logger.info("a stream begins", extra={"after": 0})
    return _from_start(run, slot, MAX_IDLE_SECONDS)


def _from_start(run: runs.Run, slot: stream_slots.Slot, idle_seconds: int) -> Subscription:
    """Send the first event without reading it, so that clients see at once that the run began."""
    began = None if run.ended else first_event(run)
    is_queued = run.phase == "queued"
    subscription = Subscription(
        run.key, 0, journal.Position(), idle_seconds, run.last_sequence, slot, began, is_queued=is_queued
    )
    return _with_rest(subscription, run)


def _with_rest(subscription: Subscription, run: runs.Run) -> Subscription:
    return replace(subscription, has_rested=run.turns > 0, resumes_at=run.resumes_at)


def take_slot(user_id: str, run_key: str, slots: table.Item | None = stream_slots.NONE_OPEN) -> stream_slots.Slot:
    """Take a slot, which the caller releases; `slots` is the item as it was read. Raises Problem 429 at the limit of
    open streams, or of streams or their bytes per minute (EVT-06).
    """
    with limits.rate_limited():
        slot = stream_slots.acquire(user_id, settings.streams_per_user, run_key, limits.opened_stream(), slots)
    if slot is None:
        raise limits.refusal(
            Code.AGENT_SSE_CONNECTION_LIMIT, "too many open streams", params={"limit": settings.streams_per_user}
        )
    return slot


@contextmanager
def reserved_slot(user_id: str, run_key: str) -> Iterator[stream_slots.Slot]:
    """Take a slot as `take_slot` does, and release it if the body raises; else the caller releases it later."""
    slot = take_slot(user_id, run_key)
    try:
        yield slot
    except Exception:
        stream_slots.release(slot)
        raise


def release_slot(slot: stream_slots.Slot, sent: int, *, has_shown_end: bool = False) -> None:
    stream_slots.release(slot, limits.sent_by_stream(sent), has_shown_end=has_shown_end)


def check_kept(run: runs.Run) -> None:
    """Raise Problem 410 if its events have expired."""
    if run.ended and clock.since(run.ended_at or run.created_at) > timedelta(days=journal.EVENT_DAYS):
        raise Problem(Code.AGENT_RUN_EVENTS_EXPIRED, "the run's events have expired; read the history")


def _idle_seconds(value: str | None) -> int:
    if value is None:
        return DEFAULT_IDLE_SECONDS
    if re.fullmatch(r"[1-9]\d{0,3}", value, re.ASCII) and int(value) <= MAX_IDLE_SECONDS:
        return int(value)
    raise Problem(Code.AGENT_EVENTS_QUERY_INVALID, f"idle_limit must be 1 to {MAX_IDLE_SECONDS} seconds")
