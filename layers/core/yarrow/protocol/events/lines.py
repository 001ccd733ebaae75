"""Reads the text of stored events without parsing it.

`events.encode` writes a line with `type` first; no other module depends on that.
"""

from typing import Final

TERMINAL_TYPES: Final = frozenset({"RUN_FINISHED", "RUN_ERROR"})

_BEFORE_TYPE: Final = '{"type":"'


def event_type(line: str) -> str:
    """Return the type of a line. Raises ValueError for a line that `events.encode` did not write."""
    if not line.startswith(_BEFORE_TYPE):
        raise ValueError("not a stored event")
    return line[len(_BEFORE_TYPE) : line.index('"', len(_BEFORE_TYPE))]


def is_terminal(line: str) -> bool:
    """Return whether a line is the run's last event (EVT-08)."""
    return event_type(line) in TERMINAL_TYPES
