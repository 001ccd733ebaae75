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
CURSOR_EPOCH: Final = 1_728_432_000  # 2024-10-09T00:00:00Z, as the protocol has it
_FURTHEST_JUMP: Final = 180
"""Intervals: an hour."""

OFFSET_PATTERN: Final = r"^(-1|now|[0-9]{10})$"
CURSOR_PATTERN: Final = r"^[0-9]{1,15}$"
_OFFSET: Final = re.compile(r"[0-9]{10}")
_CURSOR: Final = re.compile(r"[0-9]{1,15}")

Place = int | Literal["now"]
"""After an event with this number, or at the end."""
Live = Literal["long-poll", "sse"]
LIVE: Final[tuple[Live, ...]] = ("long-poll", "sse")


@dataclass(frozen=True, slots=True)
class Query:
    """`cursor` is the response's, later than the client's, so that no cache answers a client twice."""

    place: Place
    live: Live | None
    cursor: str


def read_query(values: Mapping[str, Sequence[str]]) -> Query:
    """By name. Raises Problem 400."""
    for name, given in values.items():
        if len(given) > 1 and name in ("runId", "offset", "live", "cursor"):
            raise _invalid(f"{name} may be given once")
    one = {name: given[0] for name, given in values.items()}
    live = _live(one.get("live"))
    if live and "offset" not in one:
        raise _invalid("with live, offset is required")
    return Query(_place(one.get("offset", START)), live, _next_cursor(one.get("cursor")))


def offset(after: int) -> str:
    """Of what follows event `after`."""
    return f"{after:010d}"


def not_an_offset() -> Problem:
    return _invalid(f"offset must be {START}, {NOW}, or one that this stream gave")


def _place(value: str) -> Place:
    if value == START:
        return 0
    if value == NOW:
        return NOW
    if not _OFFSET.fullmatch(value):
        raise not_an_offset()
    return int(value)


def _live(value: str | None) -> Live | None:
    for each in LIVE:
        if value == each:
            return each
    if value is None:
        return None
    raise _invalid(f"live must be {' or '.join(LIVE)}")


def _next_cursor(given: str | None) -> str:
    now = int(time.time() - CURSOR_EPOCH) // CURSOR_SECONDS
    if given is None:
        return str(now)
    if not _CURSOR.fullmatch(given):
        raise _invalid("cursor must be one that this stream gave")
    return str(now if int(given) < now else int(given) + random.randint(1, _FURTHEST_JUMP))  # noqa: S311


def _invalid(detail: str) -> Problem:
    return Problem(Code.AGENT_STREAM_QUERY_INVALID, detail)


def messages(lines: Sequence[str]) -> bytes:
    """Stored events as a JSON array."""
    return f"[{','.join(lines)}]".encode()


def data_frame(lines: Sequence[str]) -> bytes:
    """Without spaces after colons, as the protocol's servers write it."""
    return f"event: data\ndata:[{','.join(map(sse.one_line, lines))}]\n\n".encode()


def control_frame(after: int, cursor: str, *, up_to_date: bool, closed: bool) -> bytes:
    """Follows every data frame."""
    members: dict[str, str | bool] = {"streamNextOffset": offset(after)}
    if closed:
        members |= {"upToDate": True, "streamClosed": True}
    else:
        members["streamCursor"] = cursor
        if up_to_date:
            members["upToDate"] = True
    return f"event: control\ndata:{json.dumps(members, separators=(',', ':'))}\n\n".encode()
