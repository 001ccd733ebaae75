"""Server-sent events: frames and cursors (EVT-03, EVT-04, EVT-18).

Lines end with LF only: AG-UI clients break on CRLF. Stored lines are inserted unparsed.
"""

import re

from yarrow.protocol.events.lines import event_type
from yarrow.protocol.problems import Code, Problem

KEEP_ALIVE = b": keep-alive\n\n"

_LINE_BREAKS = (("\x85", "\\u0085"), ("\u2028", "\\u2028"), ("\u2029", "\\u2029"))
"""Characters that JSON allows unescaped, but that end a line for some clients (C49)."""

CURSOR = re.compile(r"0|[1-9][0-9]{0,9}")


def frame(sequence: int, line: str) -> bytes:
    """Write an event as a frame whose id is the sequence number."""
    return f"id: {sequence}\nevent: {event_type(line)}\ndata: {one_line(line)}\n\n".encode()


def data(line: str) -> bytes:
    """Write an event as a frame without id and type."""
    return f"data: {one_line(line)}\n\n".encode()


def one_line(line: str) -> str:
    """Escape the characters of JSON that a client may take for a line's end."""
    if not line.isascii():
        for raw, escaped in _LINE_BREAKS:
            line = line.replace(raw, escaped)  # unchanged without one
    return line


def retry(milliseconds: int) -> bytes:
    """Write the frame that sets the client's wait before reconnecting."""
    return f"retry: {milliseconds}\n\n".encode()


def read_cursor(value: str | None) -> int:
    """Read the number to continue after; 0, absent or empty is the start. Raises Problem 422 otherwise (EVT-04)."""
    if not value:
        return 0
    if not CURSOR.fullmatch(value):
        raise not_a_cursor()
    return int(value)


def not_a_cursor() -> Problem:
    return Problem(Code.AGENT_INVALID_LAST_EVENT_ID, "Last-Event-ID is not a cursor of this run")
