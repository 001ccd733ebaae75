"""A run's journal as server-sent events: stored events after a cursor, then new ones (EVT-05). It ends after the
terminal event, or with its format's `cut` at the idle limit or before the platform's limit. `wait` in the query asks
for a short stream, for clients that cannot read a response before its end.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from functools import partial
from typing import Final, TypeVar

import anyio
import anyio.to_thread
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from yarrow.observability.logs import logger
from yarrow.protocol.events import sse
from yarrow.protocol.problems import Code, Problem
from yarrow.runs.stream_events import Subscription, release_slot
from yarrow.store.limits import stream_slots
from yarrow.web.streams.journal_polling import SLOWEST_POLL_SECONDS, read_on
from yarrow.web.streams.stream_formats import (
    NATIVE,
    RECONNECT,
    FormattedSubscription,
    StreamFormat,
    refused,
    rest,
)

_T = TypeVar("_T")

MARGIN_SECONDS = 15
"""Before the limit of API Gateway and Lambda (15 minutes)."""

KEEP_ALIVE_SECONDS = 15.0
"""The longest silence (EVT-03)."""

MAX_WAIT_SECONDS: Final = 20
"""The longest wait of a short stream for its first event."""

GATHER_SECONDS: Final = 1.0
"""How long a short stream or a long poll lasts after its first event, to return several."""

HEADERS: Final = {"Cache-Control": "no-cache", "X-Accel-Buffering": "no"}


def window(request: Request) -> float:
    remaining: int = request.scope["aws.context"].get_remaining_time_in_millis()
    return remaining / 1000 - MARGIN_SECONDS


def read_wait(value: str | None) -> float | None:
    """Return the most seconds a short stream lasts; None for other streams. Raises Problem 422 unless `wait` is 1 to
    MAX_WAIT_SECONDS.
    """
    if value is None:
        return None
    if value.isascii() and value.isdigit() and 1 <= int(value) <= MAX_WAIT_SECONDS:
        return float(value)
    raise Problem(Code.AGENT_EVENTS_QUERY_INVALID, f"wait must be 1 to {MAX_WAIT_SECONDS} seconds")


def read_times(value: str | None) -> bool:
    """Return whether `times` in the query asks for timestamps. Raises Problem 422 unless it is true or false."""
    if value not in (None, "true", "false"):
        raise Problem(Code.AGENT_EVENTS_QUERY_INVALID, "times must be true or false")
    return value == "true"


class EventStreamResponse(StreamingResponse):
    """Releases the subscription's slot at the end. With `wait` seconds, it is short."""

    media_type = "text/event-stream"

    def __init__(
        self,
        subscription: Subscription,
        seconds: float,
        stream_format: StreamFormat = NATIVE,
        *,
        wait: float | None = None,
    ) -> None:
        is_short = wait is not None
        until = time.monotonic() + (min(seconds, wait) if wait is not None else seconds)
        frames = _frames(subscription, until, stream_format, is_short=is_short, on_end=self._end)
        super().__init__(self._counted(frames), headers={**HEADERS, **stream_format.headers})
        self._frames = frames
        self._slot = subscription.slot
        self._sent = 0
        self._has_shown_end = False

    def _end(self) -> None:
        self._has_shown_end = True

    async def _counted(self, frames: AsyncGenerator[bytes]) -> AsyncGenerator[bytes]:
        async for frame in frames:
            self._sent += len(frame)
            yield frame

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            async with aclosing(self._frames):
                await super().__call__(scope, receive, send)
        finally:
            await release(self._slot, self._sent, has_shown_end=self._has_shown_end)


async def release(slot: stream_slots.Slot, sent: int = 0, *, has_shown_end: bool = False) -> None:
    """Release a slot after `sent` bytes, even if the stream is cancelled meanwhile."""
    await run_to_end(partial(release_slot, slot, sent, has_shown_end=has_shown_end))


async def run_to_end(function: Callable[[], None]) -> None:
    """Run a function in a thread and wait for its end, even if the stream is cancelled meanwhile."""
    # Its own limiter: little time is left to wait for a thread.
    limiter = anyio.CapacityLimiter(1)
    # Its own task: a shielded scope does not protect what it awaits from asyncio's cancellation.
    running = asyncio.ensure_future(anyio.to_thread.run_sync(function, limiter=limiter))
    cancelled: asyncio.CancelledError | None = None
    with anyio.CancelScope(shield=True):
        while not running.done():
            try:
                await asyncio.wait({running})
            except asyncio.CancelledError as error:
                cancelled = error
    if cancelled is not None:
        raise cancelled
    running.result()


async def open_stream(
    subscribe: Callable[[], FormattedSubscription], seconds: float, *, wait: float | None = None, times: bool = False
) -> EventStreamResponse:
    """Stream what `subscribe` returns, with `times` at which events were stored (EVT-29)."""
    subscription, stream_format = await in_thread(subscribe)
    if times:
        from yarrow.web.streams.event_times import timed  # few clients ask for it

        subscription, stream_format = timed(subscription, stream_format)
    return EventStreamResponse(subscription, seconds, stream_format, wait=wait)


def refusal(problem: Problem, body: bytes) -> Response:
    """Respond to an AG-UI client's request with a stream that ends at once, as interrupts require (ASK-02)."""
    return Response(refused(problem, body), media_type="text/event-stream", headers=HEADERS)


async def resume_stream(
    subscribe: Callable[[], FormattedSubscription], seconds: float, *, wait: float | None = None, times: bool = False
) -> Response:
    """Respond as `open_stream`, or 204 if the client has the run's last event: EventSource then stops reconnecting
    (HTML, "Server-sent events", processing model).
    """
    subscription, stream_format = await in_thread(subscribe)
    if subscription.is_over and not stream_format.opening:
        await release(subscription.slot)
        return Response(status_code=204, headers=HEADERS)
    if times:
        from yarrow.web.streams.event_times import timed

        subscription, stream_format = timed(subscription, stream_format)
    return EventStreamResponse(subscription, seconds, stream_format, wait=wait)


async def in_thread(subscribe: Callable[[], tuple[Subscription, _T]]) -> tuple[Subscription, _T]:
    """Subscribe in a thread; releases the slot if the client has left."""
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
    subscription: Subscription,
    until: float,
    stream_format: StreamFormat = NATIVE,
    *,
    is_short: bool = False,
    on_end: Callable[[], None] = lambda: None,
) -> AsyncGenerator[bytes]:
    """Yield the frames; the last is `broken` if the stream fails. `on_end` is called once the run's end was taken."""
    try:
        if stream_format.opening:
            yield stream_format.opening
        events = _event_frames(subscription, until, stream_format, is_short=is_short, on_end=on_end)
        async with aclosing(events) as frames:
            async for frame in frames:
                yield frame
    except Exception:
        if stream_format.broken is None:
            raise
        logger.exception("the stream failed")
        yield stream_format.broken


async def _event_frames(
    subscription: Subscription,
    until: float,
    stream_format: StreamFormat,
    *,
    is_short: bool,
    on_end: Callable[[], None],
) -> AsyncGenerator[bytes]:
    """Yield frames to `until` (`time.monotonic`), the idle limit, or soon after the first if `is_short`; then `cut`. A
    client that resumes is sent away while the run rests.
    """
    after, last_sent, to_rest, cut = subscription.after, time.monotonic(), stream_format.is_resumed, stream_format.cut
    if to_rest and subscription.has_rested:
        yield RECONNECT  # a client that was sent away would take as long after a failure, too
    gathered = last_sent + GATHER_SECONDS if is_short and stream_format.opening else None
    async with aclosing(read_on(subscription, until, to_rest=to_rest)) as readings:
        async for reading in readings:
            if frames := stream_format.frames(reading, after):
                yield frames
                last_sent = time.monotonic()
                gathered = last_sent + GATHER_SECONDS if is_short and gathered is None else gathered
            if reading.ended:
                on_end()
                return
            if gathered is not None and time.monotonic() >= gathered:
                break
            if reading.rest_seconds:
                cut = rest(reading.rest_seconds)
            elif reading.events:
                after = max(after, reading.events[-1][0])
            elif time.monotonic() - last_sent + SLOWEST_POLL_SECONDS >= KEEP_ALIVE_SECONDS:
                yield sse.KEEP_ALIVE
                last_sent = time.monotonic()
    if cut:
        yield cut
