"""Reads a run's journal until the run ends: often while events come, seldom while none do."""

import time
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass

import anyio
import anyio.to_thread

from yarrow.protocol.events.lines import is_terminal
from yarrow.runs.lost_runs import LivenessWatch
from yarrow.runs.stream_events import Subscription
from yarrow.store import journal
from yarrow.store.limits import stream_slots

FIRST_PACE_SECONDS = 0.01
"""After the first events, for which users wait most."""
PACE_SECONDS = 0.2
"""The longest pause after events: as long as the writer's (`journal_writer.LATER_FLUSH_SECONDS`)."""
LEAD_SECONDS = 0.01
"""How much sooner than the next expected batch to poll."""
BULK_EVENTS = 200
"""After this many events at once, the next read waits only BULK_PACE_SECONDS."""
BULK_PACE_SECONDS = 0.005
FASTEST_POLL_SECONDS = 0.02
SLOWEST_POLL_SECONDS = 1.0
"""The range of pauses after empty reads."""
BATCHES_PER_READ = 50
SHORTEST_REST_SECONDS = 15.0
"""From here on, a client that comes back costs less than a stream that waits."""


@dataclass(frozen=True, slots=True)
class PolledEvents:
    """Events of one read with their numbers, those of the first item from its beginning. `up_to_date` if there were no
    more, `ended` if no more will come, and none for `rest_seconds`.
    """

    events: Sequence[tuple[int, str]]
    up_to_date: bool
    ended: bool
    stored_at: Sequence[tuple[int, int | None]] = ()
    """The last number of each item, and when it was stored (`journal.Batch`)."""
    rest_seconds: float = 0.0


async def read_on(subscription: Subscription, until: float, *, to_rest: bool = False) -> AsyncGenerator[PolledEvents]:
    """Yield every read, empty ones too, to the run's end, `until` (`time.monotonic`), the idle limit, or with `to_rest`
    until the run rests for longer. Renews the slot.
    """
    after, at = subscription.after, subscription.at
    watch = LivenessWatch(subscription.run_key, subscription.resumes_at)
    poll = pace = FIRST_PACE_SECONDS
    last_event = renewed = time.monotonic()
    if subscription.first_event is not None:
        yield PolledEvents([(1, subscription.first_event)], up_to_date=True, ended=False)
        after, at = 1, journal.AFTER_FIRST
        if subscription.is_queued:
            await anyio.sleep(pace)
    while (now := time.monotonic()) < min(until, last_event + subscription.idle_seconds):
        if now - renewed >= stream_slots.RENEW_SECONDS:
            await anyio.to_thread.run_sync(stream_slots.renew, subscription.slot)
            renewed = now
        batches = await anyio.to_thread.run_sync(_read, subscription.run_key, at)
        at = batches[-1].end if batches else at
        found = [event for batch in batches for event in batch.numbered()]
        if found:
            latest, last = found[-1]
            after = max(after, latest)
            ended = is_terminal(last)
        else:
            ended = subscription.last is not None and after >= subscription.last
        stored_at = [(batch.end.last, batch.at) for batch in batches]
        yield PolledEvents(found, len(batches) < BATCHES_PER_READ, ended, stored_at)
        if ended:
            return
        if found:
            pace = BULK_PACE_SECONDS if len(found) >= BULK_EVENTS else _pace(pace, (now - last_event) / len(batches))
            poll, last_event = min(pace, FASTEST_POLL_SECONDS), now
            if len(batches) < BATCHES_PER_READ:
                await anyio.sleep(max(0.0, now + pace - time.monotonic()))
            continue
        await anyio.to_thread.run_sync(watch.check)
        if to_rest and watch.rest_seconds >= SHORTEST_REST_SECONDS:
            yield PolledEvents([], up_to_date=True, ended=False, rest_seconds=watch.rest_seconds)
            return
        await anyio.sleep(poll)
        poll = min(poll * 1.5, SLOWEST_POLL_SECONDS)


def _pace(pace: float, apart: float) -> float:
    """Return the next pause, from the seconds between batches. It grows slowly: a model resumes at its earlier pace."""
    return max(FIRST_PACE_SECONDS, min(pace * 1.2, apart - LEAD_SECONDS, PACE_SECONDS))


def _read(run_key: str, at: journal.Position) -> Sequence[journal.Batch]:
    # Eventually consistent: half the cost, and never older than the previous read.
    return list(journal.read(run_key, at, limit=BATCHES_PER_READ, consistent=False))
