"""Reads a run's events by offsets: a chunk at once, or a subscription to those that follow."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from yarrow.access import limits, ownership
from yarrow.observability.logs import correlate, logger
from yarrow.observability.metrics import Metric, emit
from yarrow.protocol.events import durable_stream
from yarrow.protocol.events.lines import is_terminal
from yarrow.runs.stream_events import DEFAULT_IDLE_SECONDS, Subscription, check_kept, take_slot
from yarrow.store import journal, runs

CHUNK_BYTES: Final = 1_000_000
CHUNK_ITEMS: Final = 200


@dataclass(frozen=True, slots=True)
class Chunk:
    """Events after number `after` up to number `last`; `up_to_date` if there were no more. `version` distinguishes runs
    of the same ids.
    """

    version: str
    after: int
    last: int
    lines: Sequence[str]
    up_to_date: bool
    closed: bool


def read_chunk(user_id: str, thread_id: str, run_id: str | None, place: durable_stream.Place) -> Chunk:
    """Read events up to CHUNK_BYTES and the rest of an item. Raises Problem as `ownership.run_of`, 400 for an offset of
    another stream, 410 for expired events, 429.
    """
    found = _find(user_id, thread_id, run_id, place)
    limits.count_stream_read(user_id)
    after = last = found.after
    size = count = 0
    lines: list[str] = []
    # Eventually consistent, as every viewer reads.
    for batch in journal.read(found.run.key, found.at, limit=CHUNK_ITEMS, consistent=False):
        fresh = [line for number, line in batch.numbered() if number > after]
        lines += fresh
        last, size, count = batch.end.last, size + sum(map(len, fresh)), count + 1
        if size >= CHUNK_BYTES:
            count = CHUNK_ITEMS
            break
    limits.charge_stream_read(user_id, size)
    last = max(last, after)
    closed = last == found.end or _ends(lines)
    return Chunk(found.run.created_at, after, last, lines, closed or count < CHUNK_ITEMS, closed)


def read_end(user_id: str, thread_id: str, run_id: str | None) -> Chunk:
    """Return an empty chunk at the end of the events. Raises Problem as `read_chunk`."""
    return read_chunk(user_id, thread_id, run_id, durable_stream.NOW)


def subscribe(user_id: str, thread_id: str, run_id: str | None, place: durable_stream.Place) -> Subscription:
    """Subscribe with a slot, which the caller releases. Raises Problem as `read_chunk`."""
    found = _find(user_id, thread_id, run_id, place)
    run, after = found.run, found.after
    slot = take_slot(user_id, run.key)
    logger.info("a stream begins", extra={"after": after})
    if after:
        emit("a stream resumes", {Metric.STREAM_RESUMES: 1}, run_key=run.key)
    return Subscription(run.key, after, found.at, DEFAULT_IDLE_SECONDS, found.end, slot)


@dataclass(frozen=True, slots=True)
class _Found:
    """A run, where to read, the number of the event before that, and the last event's number if the run has ended."""

    run: runs.Run
    at: journal.Position
    after: int
    end: int | None


def _find(user_id: str, thread_id: str, run_id: str | None, place: durable_stream.Place) -> _Found:
    run = ownership.run_of(user_id, thread_id, run_id)
    correlate(run_key=run.key)
    check_kept(run)
    if place == durable_stream.NOW:
        newest = journal.last_batch(run.key)
        at = newest.end
        # The run may have ended since it was read.
        return _Found(run, at, at.last, at.last if run.ended or _ends(newest.lines) else None)
    position = journal.position_of(run.key, place) if place else journal.Position()
    if position is None:
        raise durable_stream.not_an_offset()
    return _Found(run, position, place, run.last_sequence)


def _ends(lines: Sequence[str]) -> bool:
    return bool(lines) and is_terminal(lines[-1])
