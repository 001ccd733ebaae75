"""A run's events as a Durable Stream: in chunks, by long polls, or as server-sent events."""

import time
from contextlib import aclosing
from typing import Final

from starlette.responses import Response

from yarrow.protocol.events import durable_stream
from yarrow.protocol.events.durable_stream import CLOSED, CURSOR, NEXT_OFFSET, UP_TO_DATE
from yarrow.protocol.ui_schema import event_lines
from yarrow.runs.read_stream import CHUNK_BYTES, Chunk
from yarrow.runs.stream_events import Subscription
from yarrow.web.streams.event_stream import GATHER_SECONDS, release
from yarrow.web.streams.journal_polling import PolledEvents, read_on
from yarrow.web.streams.stream_formats import StreamFormat

CACHED: Final = "private, max-age=3600, immutable"
CHECKED: Final = "private, no-cache"
NOT_CACHED: Final = "no-store"

_SAFE: Final = {"X-Content-Type-Options": "nosniff", "Cross-Origin-Resource-Policy": "cross-origin"}


def end_of(chunk: Chunk) -> Response:
    return Response(headers=_headers(chunk.last, NOT_CACHED, closed=chunk.closed), media_type="application/json")


def newest(chunk: Chunk) -> Response:
    """Respond to `offset=now`."""
    headers = _headers(chunk.last, NOT_CACHED, closed=chunk.closed) | {UP_TO_DATE: "true"}
    return Response(durable_stream.messages([]), headers=headers, media_type="application/json")


def catch_up(chunk: Chunk, if_none_match: str | None) -> Response:
    """Respond 200, or 304 if the client has the chunk. A chunk is cached if it cannot change: more follows it, or the
    stream is closed.
    """
    etag = f'"{chunk.version}-{chunk.after}-{chunk.last}{"-closed" if chunk.closed else ""}"'
    cached = CACHED if chunk.closed or not chunk.up_to_date else CHECKED
    headers = _headers(chunk.last, cached, closed=chunk.closed) | {"ETag": etag, "Vary": "Authorization"}
    if chunk.up_to_date:
        headers[UP_TO_DATE] = "true"
    known = [tag.strip().removeprefix("W/") for tag in (if_none_match or "").split(",")]
    if etag in known or "*" in known:
        return Response(status_code=304, headers=headers)
    lines = [event_lines.without_hints(line) for line in chunk.lines]
    return Response(durable_stream.messages(lines), headers=headers, media_type="application/json")


async def long_poll(subscription: Subscription, cursor: str, seconds: float) -> Response:
    """Respond with the events that come within this time, 204 for none. Releases the slot."""
    started, after = time.monotonic(), subscription.after
    gathered = started + (GATHER_SECONDS if after else 0)
    lines: list[str] = []
    size, up_to_date, closed = 0, True, False
    try:
        async with aclosing(read_on(subscription, started + seconds)) as readings:
            async for reading in readings:
                fresh = [event_lines.without_hints(line) for number, line in reading.events if number > after]
                after = _last(reading, after)
                lines += fresh
                size += sum(map(len, fresh))
                up_to_date, closed = reading.up_to_date, reading.ended
                if size >= CHUNK_BYTES or (lines and time.monotonic() >= gathered):
                    break
    finally:
        await release(subscription.slot, size)
    headers = _headers(after, NOT_CACHED, closed=closed) | {CURSOR: cursor}
    if up_to_date:
        headers[UP_TO_DATE] = "true"
    if not lines:
        return Response(status_code=204, headers=headers)
    return Response(durable_stream.messages(lines), headers=headers, media_type="application/json")


def sse_format(cursor: str) -> StreamFormat:
    """The format sends nothing at its end: a client resumes from its last offset."""
    return StreamFormat(_DataAndControl(cursor), cut=b"", headers={**_SAFE, "Content-Type": "text/event-stream"})


class _DataAndControl:
    """Frames the events of a reading, and the stream's state if it is new."""

    def __init__(self, cursor: str) -> None:
        self._cursor = cursor
        self._up_to_date = False

    def __call__(self, reading: PolledEvents, after: int) -> bytes:
        lines = [event_lines.without_hints(line) for number, line in reading.events if number > after]
        news = lines or reading.ended or (reading.up_to_date and not self._up_to_date)
        self._up_to_date = reading.up_to_date
        if not news:
            return b""
        data = durable_stream.data_frame(lines) if lines else b""
        return data + durable_stream.control_frame(
            _last(reading, after), self._cursor, up_to_date=reading.up_to_date, closed=reading.ended
        )


def _last(reading: PolledEvents, after: int) -> int:
    return max(after, reading.events[-1][0]) if reading.events else after


def _headers(after: int, cache_control: str, *, closed: bool) -> dict[str, str]:
    headers = {**_SAFE, "Cache-Control": cache_control, NEXT_OFFSET: durable_stream.offset(after)}
    return {**headers, CLOSED: "true"} if closed else headers
