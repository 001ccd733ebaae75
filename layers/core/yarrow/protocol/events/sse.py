"""Server-sent events: framing stored events for `GET …/events`, and reading a client's cursor.

Source: EVT-03, EVT-04, EVT-18. LF only: every released AG-UI client breaks on CRLF. A frame is spliced from the stored
JSON without parsing it, which is why `events.encode` puts `type` first.
"""

import re

from yarrow.protocol.problems import Code, Problem

KEEP_ALIVE = b": keep-alive\n\n"

_LINE_BREAKS = (("\x85", "\\u0085"), ("\u2028", "\\u2028"), ("\u2029", "\\u2029"))
"""Line breaks that JSON text may hold as they are, and at which some clients' line readers end a line (C49)."""

_BEFORE_TYPE = '{"type":"'
CURSOR = re.compile(r"0|[1-9][0-9]{0,9}")

TERMINAL_TYPES = frozenset({"RUN_FINISHED", "RUN_ERROR"})


def event_type(line: str) -> str:
    """The type of a stored event. Raises ValueError for a line that `events.encode` did not write."""
    if not line.startswith(_BEFORE_TYPE):
        raise ValueError("not a stored event")
    return line[len(_BEFORE_TYPE) : line.index('"', len(_BEFORE_TYPE))]


def frame(sequence: int, line: str) -> bytes:
    """One event as `id`, `event` and `data` lines; the id is its sequence number in the run."""
    return f"id: {sequence}\nevent: {event_type(line)}\ndata: {_one_line(line)}\n\n".encode()


def data(line: str) -> bytes:
    """One event as a `data` line alone."""
    return f"data: {_one_line(line)}\n\n".encode()


def _one_line(line: str) -> str:
    """JSON text of the same value in which no reader finds a line break."""
    if not line.isascii():
        for raw, escaped in _LINE_BREAKS:
            line = line.replace(raw, escaped)  # the line itself where it has none
    return line


def retry(milliseconds: int) -> bytes:
    """Tell the client how long to wait before it reconnects."""
    return f"retry: {milliseconds}\n\n".encode()


def read_cursor(value: str | None) -> int:
    """The sequence number after which a client goes on; 0, absent or empty is the start.

    Raises Problem 422 for anything that cannot be a sequence number (EVT-04).
    """
    if not value:
        return 0
    if not CURSOR.fullmatch(value):
        raise not_a_cursor()
    return int(value)


def not_a_cursor() -> Problem:
    """What a client is told whose cursor is none of the run's."""
    return Problem(Code.AGENT_INVALID_LAST_EVENT_ID, "Last-Event-ID is not a cursor of this run")
