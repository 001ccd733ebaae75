"""Server-sent events: frames and cursors (EVT-03, EVT-04, EVT-18).

LF only: AG-UI clients break on CRLF. Stored lines are spliced unparsed.
"""

import re

from yarrow.protocol.events.lines import event_type
from yarrow.protocol.problems import Code, Problem

KEEP_ALIVE = b": keep-alive\n\n"

_LINE_BREAKS = (("\x85", "\\u0085"), ("\u2028", "\\u2028"), ("\u2029", "\\u2029"))
"""Valid raw in JSON, but line ends for some clients (C49)."""

CURSOR = re.compile(r"0|[1-9][0-9]{0,9}")


def frame(sequence: int, line: str) -> bytes:
    """The id is the sequence number."""
    return f"id: {sequence}\nevent: {event_type(line)}\ndata: {one_line(line)}\n\n".encode()


def data(line: str) -> bytes:
    """Without id and type."""
    return f"data: {one_line(line)}\n\n".encode()


def one_line(line: str) -> str:
    """JSON without what any client takes for a line's end."""
    if not line.isascii():
        for raw, escaped in _LINE_BREAKS:
            line = line.replace(raw, escaped)  # unchanged without one
    return line


def retry(milliseconds: int) -> bytes:
    """The client's wait before reconnecting."""
    return f"retry: {milliseconds}\n\n".encode()


def read_cursor(value: str | None) -> int:
    """To continue after; 0, absent or empty is the start. Raises Problem 422 for anything else (EVT-04)."""
    if not value:
        return 0
    if not CURSOR.fullmatch(value):
        raise not_a_cursor()
    return int(value)


def not_a_cursor() -> Problem:
    return Problem(Code.AGENT_INVALID_LAST_EVENT_ID, "Last-Event-ID is not a cursor of this run")
