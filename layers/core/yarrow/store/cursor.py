"""Opaque cursors, valid in one list of one thread (RNR-22). They grant nothing."""

import base64
import hashlib
from typing import Literal

from yarrow.protocol.runner.errors import AgentAPIException

ListName = Literal["transcript", "event_log"]

_MARK_BYTES = 8
_POSITION_BYTES = 16


def encode(of: ListName, thread_id: str, position: int) -> str:
    """Encode a position of at most 128 bits."""
    return base64.urlsafe_b64encode(_mark(of, thread_id) + position.to_bytes(_POSITION_BYTES, "big")).decode()


def decode(of: ListName, thread_id: str, cursor: str) -> int:
    """Decode a position. Raises AgentAPIException `invalid_argument` for another list or thread."""
    try:
        raw = base64.b64decode(cursor, altchars=b"-_", validate=True)
    except ValueError:
        raw = b""
    if len(raw) != _MARK_BYTES + _POSITION_BYTES or raw[:_MARK_BYTES] != _mark(of, thread_id):
        raise AgentAPIException("invalid_argument", "the cursor is not one of this conversation")
    return int.from_bytes(raw[_MARK_BYTES:], "big")


def _mark(of: ListName, thread_id: str) -> bytes:
    return hashlib.sha256(f"{of}#{thread_id.lower()}".encode()).digest()[:_MARK_BYTES]
