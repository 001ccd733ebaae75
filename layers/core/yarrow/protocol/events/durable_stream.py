"""Durable Streams, the read side, in JSON mode: offsets, cursors, headers and frames.

Offsets sort as their events do. Clients keep them for days, so their form never changes.
"""

import json
import random
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from yarrow.protocol.events import sse
from yarrow.protocol.problems import Code, Problem

START: Final = "-1"
NOW: Final = "now"

NEXT_OFFSET: Final = "Stream-Next-Offset"
UP_TO_DATE: Final = "Stream-Up-To-Date"
CLOSED: Final = "Stream-Closed"
CURSOR: Final = "Stream-Cursor"

CURSOR_SECONDS: Final = 20
CURSOR_EPOCH: Final = 1_728_432_000  # 2024-10-09T00:00:00Z, as in the protocol
_FURTHEST_JUMP: Final = 180
"""The most intervals that a cursor is moved forward: an hour."""

OFFSET_PATTERN: Final = r"^(-1|now|[0-9]{10})$"
CURSOR_PATTERN: Final = r"^[0-9]{1,15}$"
_OFFSET: Final = re.compile(r"[0-9]{10}")
_CURSOR: Final = re.compile(r"[0-9]{1,15}")

Place = int | Literal["now"]
"""A position: after the event with this number, or at the end."""
Live = Literal["long-poll", "sse"]
LIVE: Final[tuple[Live, ...]] = ("long-poll", "sse")


@dataclass(frozen=True, slots=True)
class Query:
    """A query. `cursor` is the response's, later than the client's, so that no cache answers a client twice."""

    place: Place
    live: Live | None
    cursor: str


def read_query(values: Mapping[str, Sequence[str]]) -> Query:
    """Read a query's values by name. Raises Problem 400."""
    for name, sent in values.items():
        if len(sent) > 1 and name in ("runId", "offset", "live", "cursor"):
            raise _invalid(f"{name} must not be repeated")
    one = {name: sent[0] for name, sent in values.items()}
    live = _live(one.get("live"))
    if live and "offset" not in one:
        raise _invalid("offset is required with live")
    return Query(_place(one.get("offset", START)), live, _next_cursor(one.get("cursor")))


def offset(after: int) -> str:
    """Return the offset of the events after number `after`."""
    return f"{after:010d}"


def not_an_offset() -> Problem:
    return _invalid(f"offset must be {START}, {NOW}, or one that this stream returned")


def _place(value: str) -> Place:
    if value == START:
        return 0
    if value == NOW:
        return NOW
    if not _OFFSET.fullmatch(value):
        raise not_an_offset()
    return int(value)


def _live(value: str | None) -> Live | None:
    for mode in LIVE:
        if value == mode:
            return mode
    if value is None:
        return None
    raise _invalid(f"live must be {' or '.join(LIVE)}")


def _next_cursor(cursor: str | None) -> str:
    now = int(time.time() - CURSOR_EPOCH) // CURSOR_SECONDS
    if cursor is None:
        return str(now)
    if not _CURSOR.fullmatch(cursor):
        raise _invalid("cursor must be one that this stream returned")
    return str(now if int(cursor) < now else int(cursor) + random.randint(1, _FURTHEST_JUMP))  # noqa: S311


def _invalid(detail: str) -> Problem:
    return Problem(Code.AGENT_STREAM_QUERY_INVALID, detail)


def messages(lines: Sequence[str]) -> bytes:
    """Write stored events as a JSON array."""
    return f"[{','.join(lines)}]".encode()


def data_frame(lines: Sequence[str]) -> bytes:
    """Write a frame of events, without spaces after colons, as the protocol's servers do."""
    return f"event: data\ndata:[{','.join(map(sse.one_line, lines))}]\n\n".encode()


def control_frame(after: int, cursor: str, *, up_to_date: bool, closed: bool) -> bytes:
    """Write the frame that follows every data frame."""
    members: dict[str, str | bool] = {"streamNextOffset": offset(after)}
    if closed:
        members |= {"upToDate": True, "streamClosed": True}
    else:
        members["streamCursor"] = cursor
        if up_to_date:
            members["upToDate"] = True
    return f"event: control\ndata:{json.dumps(members, separators=(',', ':'))}\n\n".encode()
