"""A run's journal as server-sent events: what is stored after a cursor, then what is stored next, to the end.

Live and replay are this one path (EVT-05). A stream ends after the terminal event; before the platform would cut it, or
when it was idle for long, it ends by itself with what its form has for that (`stream_formats`).
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
"""How long before the platform's limit a stream ends by itself; API Gateway and Lambda cut it at 15 minutes."""

KEEP_ALIVE_SECONDS = 15.0
"""The longest a client hears nothing (EVT-03)."""

FIRST_PACE_SECONDS = 0.01
"""How long after events to look for more at first; then longer each time, for the first are what a user waits for."""
PACE_SECONDS = 0.1
"""The same once they come steadily: a little less than a writer leaves between them (`journal_writer.FLUSH_SECONDS`),
so that looking never falls behind."""
BULK_EVENTS = 200
"""As many at once come so fast that looking for more after BULK_PACE_SECONDS adds little to what reading them costs."""
BULK_PACE_SECONDS = 0.005
FASTEST_POLL_SECONDS = 0.02
SLOWEST_POLL_SECONDS = 1.0
"""How long to wait after a look that found nothing, at least and at most."""
BATCHES_PER_READ = 50


def window(request: Request) -> float:
    """How many seconds a stream may last that answers a request."""
    remaining: int = request.scope["aws.context"].get_remaining_time_in_millis()
    return remaining / 1000 - MARGIN_SECONDS


class EventStreamResponse(StreamingResponse):
    """The events of a subscription, for at most so many seconds; the subscription's slot is given back at the end."""

    media_type = "text/event-stream"

    def __init__(self, subscription: Subscription, seconds: float, stream_format: StreamFormat = NATIVE) -> None:
        frames = _frames(subscription, time.monotonic() + seconds, stream_format)
        super().__init__(frames, headers={"Cache-Control": "no-cache", "X-Accel-Buffering": "no"})
        self._frames = frames
        self._slot = subscription.slot

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Stream until the end, or until the client is gone."""
        try:
            async with aclosing(self._frames):
                await super().__call__(scope, receive, send)
        finally:
            with anyio.CancelScope(shield=True):
                # In a thread that does not have to wait for one of the others: little time is left.
                await anyio.to_thread.run_sync(stream_slots.release, self._slot, limiter=anyio.CapacityLimiter(1))


async def open_stream(
    subscribe: Callable[[], tuple[Subscription, StreamFormat]], seconds: float
) -> EventStreamResponse:
    """Run `subscribe` in a thread, and stream what it gives; the slot of a client that is gone by then is given back.

    Raises what `subscribe` raises.
    """
    # A thread goes on when whoever waits for it is cancelled, and may take its slot afterwards.
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
    """Yield the frames of a stream_format, to the end that it has for a stream that fails."""
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
    """Yield frames until the terminal event; at a moment of `time.monotonic`, or the idle limit, the cut.

    While the run is quiet it looks again at growing intervals, up to SLOWEST_POLL_SECONDS. Of a run that has ended
    before, what is stored is all there is: a client that comes back after the terminal event is let go at once.
    """
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
            # Every event is shown to the stream_format, though some were sent before: later ones may depend on them.
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


def _read(run_key: str, at: journal.Place) -> Sequence[journal.Batch]:
    # A reading that lags behind shows no less than the one before did, and costs half.
    return list(journal.read(run_key, at, limit=BATCHES_PER_READ, consistent=False))
