"""Opaque cursors: a place in one list of one thread, as text that means nothing to its reader (RNR-22).

A cursor grants nothing; it is bound to its list and thread so that it cannot be taken for a place in another.
"""

import base64
import hashlib
from typing import Literal

from yarrow.protocol.runner.errors import AgentAPIException

ListName = Literal["transcript", "event_log"]

_MARK_BYTES = 8
_PLACE_BYTES = 16


def encode(of: ListName, thread_id: str, place: int) -> str:
    """The cursor of a place, a number of at most 128 bits."""
    return base64.urlsafe_b64encode(_mark(of, thread_id) + place.to_bytes(_PLACE_BYTES, "big")).decode()


def decode(of: ListName, thread_id: str, cursor: str) -> int:
    """The place of a cursor. Raises AgentAPIException `invalid_argument` when it is not one of this thread's list."""
    try:
        raw = base64.b64decode(cursor, altchars=b"-_", validate=True)
    except ValueError:
        raw = b""
    if len(raw) != _MARK_BYTES + _PLACE_BYTES or raw[:_MARK_BYTES] != _mark(of, thread_id):
        raise AgentAPIException("invalid_argument", "the cursor is not one of this conversation")
    return int.from_bytes(raw[_MARK_BYTES:], "big")


def _mark(of: ListName, thread_id: str) -> bytes:
    return hashlib.sha256(f"{of}#{thread_id.lower()}".encode()).digest()[:_MARK_BYTES]
