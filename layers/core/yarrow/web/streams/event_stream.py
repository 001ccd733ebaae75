"""A run's journal as server-sent events: stored events after a cursor, then new ones (EVT-05).

It ends after the terminal event, or with its format's `cut` at the idle limit or before the platform's limit.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import Final

import anyio
import anyio.to_thread
from starlette.requests import Request
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from yarrow.observability.logs import logger
from yarrow.protocol.events import sse
from yarrow.runs.stream_events import Subscription
from yarrow.store.limits import stream_slots
from yarrow.web.streams.journal_polling import SLOWEST_POLL_SECONDS, read_on
from yarrow.web.streams.stream_formats import NATIVE, FormattedSubscription, StreamFormat

MARGIN_SECONDS = 15
"""Before the limit of API Gateway and Lambda (15 minutes)."""

KEEP_ALIVE_SECONDS = 15.0
"""The longest silence (EVT-03)."""

HEADERS: Final = {"Cache-Control": "no-cache", "X-Accel-Buffering": "no"}


def window(request: Request) -> float:
    """Seconds the stream may last."""
    remaining: int = request.scope["aws.context"].get_remaining_time_in_millis()
    return remaining / 1000 - MARGIN_SECONDS


class EventStreamResponse(StreamingResponse):
    """Releases the subscription's slot at the end."""

    media_type = "text/event-stream"

    def __init__(self, subscription: Subscription, seconds: float, stream_format: StreamFormat = NATIVE) -> None:
        frames = _frames(subscription, time.monotonic() + seconds, stream_format)
        super().__init__(frames, headers={**HEADERS, **stream_format.headers})
        self._frames = frames
        self._slot = subscription.slot

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            async with aclosing(self._frames):
                await super().__call__(scope, receive, send)
        finally:
            await release(self._slot)


async def release(slot: stream_slots.Slot) -> None:
    """Even if the client has left, and the stream is cancelled meanwhile."""
    # A separate limiter: little time is left to wait for a thread.
    limiter = anyio.CapacityLimiter(1)
    # A task of its own: a shielded scope does not keep a cancellation of asyncio's from what it awaits.
    releasing = asyncio.ensure_future(anyio.to_thread.run_sync(stream_slots.release, slot, limiter=limiter))
    cancelled: asyncio.CancelledError | None = None
    with anyio.CancelScope(shield=True):
        while not releasing.done():
            try:
                await asyncio.wait({releasing})
            except asyncio.CancelledError as error:
                cancelled = error
    if cancelled is not None:
        raise cancelled
    releasing.result()


async def open_stream(subscribe: Callable[[], FormattedSubscription], seconds: float) -> EventStreamResponse:
    """Stream what `subscribe` returns."""
    subscription, stream_format = await in_thread(subscribe)
    return EventStreamResponse(subscription, seconds, stream_format)


async def in_thread(subscribe: Callable[[], FormattedSubscription]) -> FormattedSubscription:
    """Releases the slot if the client has left."""
    # A thread survives its task's cancellation, and may take a slot afterwards.
    opening = asyncio.ensure_future(anyio.to_thread.run_sync(subscribe))
    try:
        return await asyncio.shield(opening)
    except asyncio.CancelledError:
        with anyio.CancelScope(shield=True):
            await asyncio.wait({opening})
            if not opening.cancelled() and opening.exception() is None:
                await release(opening.result()[0].slot)
        raise


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
    """Ends with `cut` at `until` (`time.monotonic`) or the idle limit."""
    after, last_sent = subscription.after, time.monotonic()
    async with aclosing(read_on(subscription, until)) as readings:
        async for reading in readings:
            if frames := stream_format.frames(reading, after):
                yield frames
                last_sent = time.monotonic()
            if reading.ended:
                return
            if reading.events:
                after = max(after, reading.events[-1][0])
            elif time.monotonic() - last_sent + SLOWEST_POLL_SECONDS >= KEEP_ALIVE_SECONDS:
                yield sse.KEEP_ALIVE
                last_sent = time.monotonic()
    if stream_format.cut:
        yield stream_format.cut
