"""Encodes responses of Lambda's InvokeWithResponseStream (`application/vnd.amazon.eventstream`).

Encoding: "Amazon event stream" in the Smithy specification.
"""

import json
from binascii import crc32

MEDIA_TYPE = "application/vnd.amazon.eventstream"

_STRING = 7


def chunk(payload: bytes) -> bytes:
    return _message("PayloadChunk", "application/octet-stream", payload)


def complete(error: str | None = None, details: str | None = None) -> bytes:
    """Encode the end of the response, with an error if the function failed."""
    members = {"ErrorCode": error, "ErrorDetails": details}
    present = {name: value for name, value in members.items() if value is not None}
    return _message("InvokeComplete", "application/json", json.dumps(present).encode())


def _message(kind: str, media_type: str, payload: bytes) -> bytes:
    headers = _header(":event-type", kind) + _header(":content-type", media_type) + _header(":message-type", "event")
    lengths = (16 + len(headers) + len(payload)).to_bytes(4) + len(headers).to_bytes(4)
    message = lengths + crc32(lengths).to_bytes(4) + headers + payload
    return message + crc32(message).to_bytes(4)


def _header(name: str, value: str) -> bytes:
    return bytes([len(name)]) + name.encode() + bytes([_STRING]) + len(value).to_bytes(2) + value.encode()
