"""A run's journal as server-sent events: stored events after a cursor, then new ones (EVT-05).

It ends after the terminal event, or with its format's `cut` at the idle limit or before the platform's limit.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing

import anyio
import anyio.to_thread
from starlette.requests import Request
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from yarrow.observability.logs import logger
from yarrow.protocol.events import sse
from yarrow.runs.lost_runs import LivenessWatch
from yarrow.runs.stream_events import Subscription
from yarrow.store import journal
from yarrow.store.limits import stream_slots
from yarrow.web.stream_formats import NATIVE, StreamFormat

MARGIN_SECONDS = 15
"""Before the limit of API Gateway and Lambda (15 minutes)."""

KEEP_ALIVE_SECONDS = 15.0
"""The longest silence (EVT-03)."""

FIRST_PACE_SECONDS = 0.01
"""After the first events, for which users wait most; grows to PACE_SECONDS."""
PACE_SECONDS = 0.1
"""Less than the writer's (`journal_writer.FLUSH_SECONDS`), so that reads keep up."""
BULK_EVENTS = 200
"""After this many events at once, the next read waits only BULK_PACE_SECONDS."""
BULK_PACE_SECONDS = 0.005
FASTEST_POLL_SECONDS = 0.02
SLOWEST_POLL_SECONDS = 1.0
"""The range of pauses after empty reads."""
BATCHES_PER_READ = 50


def window(request: Request) -> float:
    """Seconds the stream may last."""
    remaining: int = request.scope["aws.context"].get_remaining_time_in_millis()
    return remaining / 1000 - MARGIN_SECONDS


class EventStreamResponse(StreamingResponse):
    """Releases the subscription's slot at the end."""

    media_type = "text/event-stream"

    def __init__(self, subscription: Subscription, seconds: float, stream_format: StreamFormat = NATIVE) -> None:
        frames = _frames(subscription, time.monotonic() + seconds, stream_format)
        super().__init__(frames, headers={"Cache-Control": "no-cache", "X-Accel-Buffering": "no"})
        self._frames = frames
        self._slot = subscription.slot

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            async with aclosing(self._frames):
                await super().__call__(scope, receive, send)
        finally:
            with anyio.CancelScope(shield=True):
                # A separate limiter: little time is left to wait for a thread.
                await anyio.to_thread.run_sync(stream_slots.release, self._slot, limiter=anyio.CapacityLimiter(1))


async def open_stream(
    subscribe: Callable[[], tuple[Subscription, StreamFormat]], seconds: float
) -> EventStreamResponse:
    """Run `subscribe` in a thread and stream the result; releases the slot if the client has left."""
    # A thread survives its task's cancellation, and may take a slot afterwards.
    opening = asyncio.ensure_future(anyio.to_thread.run_sync(subscribe))
    try:
        subscription, stream_format = await asyncio.shield(opening)
    except asyncio.CancelledError:
        with anyio.CancelScope(shield=True):
            await asyncio.wait({opening})
            if not opening.cancelled() and opening.exception() is None:
                await anyio.to_thread.run_sync(stream_slots.release, opening.result()[0].slot)
        raise
    return EventStreamResponse(subscription, seconds, stream_format)


async def _frames(
    subscription: Subscription, until: float, stream_format: StreamFormat = NATIVE
) -> AsyncGenerator[bytes]:
    """Ends with `broken` if the stream fails."""
    try:
        if stream_format.opening:
            yield stream_format.opening
        async with aclosing(_event_frames(subscription, until, stream_format)) as frames:
            async for each in frames:
                yield each
    except Exception:
        if stream_format.broken is None:
            raise
        logger.exception("the stream failed")
        yield stream_format.broken


async def _event_frames(subscription: Subscription, until: float, stream_format: StreamFormat) -> AsyncGenerator[bytes]:
    """Ends with `cut` at `until` (`time.monotonic`) or the idle limit. Empty reads slow the polling."""
    after, at = subscription.after, subscription.at
    watch = LivenessWatch(subscription.run_key)
    poll = pace = FIRST_PACE_SECONDS
    last_sent = last_event = renewed = time.monotonic()
    while (now := time.monotonic()) < min(until, last_event + subscription.idle_seconds):
        if now - renewed >= stream_slots.RENEW_SECONDS:
            await anyio.to_thread.run_sync(stream_slots.renew, subscription.slot)
            renewed = now
        batches = await anyio.to_thread.run_sync(_read, subscription.run_key, at)
        at = batches[-1].end if batches else at
        found = [event for batch in batches for event in batch.numbered()]
        if found:
            # The format gets every event, even those sent before: later ones may depend on them.
            framed = [(number, stream_format.frame(number, line)) for number, line in found]
            if frames := b"".join(frame for number, frame in framed if number > after):
                yield frames
                last_sent = now
            latest, last = found[-1]
            if sse.event_type(last) in sse.TERMINAL_TYPES:
                return
            after = max(after, latest)
            pace = BULK_PACE_SECONDS if len(found) >= BULK_EVENTS else min(pace * 1.2, PACE_SECONDS)
            poll, last_event = min(pace, FASTEST_POLL_SECONDS), now
            if len(batches) < BATCHES_PER_READ:
                await anyio.sleep(max(0.0, now + pace - time.monotonic()))
            continue
        if subscription.last is not None and after >= subscription.last:
            return
        if now - last_sent + poll >= KEEP_ALIVE_SECONDS:
            yield sse.KEEP_ALIVE
            last_sent = now
        await anyio.to_thread.run_sync(watch.check)
        await anyio.sleep(poll)
        poll = min(poll * 1.5, SLOWEST_POLL_SECONDS)
    yield stream_format.cut


def _read(run_key: str, at: journal.Position) -> Sequence[journal.Batch]:
    # Eventually consistent: half the cost, and never older than the previous read.
    return list(journal.read(run_key, at, limit=BATCHES_PER_READ, consistent=False))
