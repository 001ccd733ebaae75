"""Messages between a sandbox and its host: a kind, the length of the body, and the body."""

import asyncio
import json
import socket
from dataclasses import asdict, fields
from enum import IntEnum
from struct import Struct

from yarrow.web.lambda_runtime import InvocationContext

_HEAD = Struct("!BI")
_SENT = tuple(field.name for field in fields(InvocationContext) if field.name not in ("identity", "client_context"))

Message = tuple[int, bytes]


class MessageKind(IntEnum):
    """INVOKE has a context and a payload; RESULT and ERROR end an invocation; a CHUNK is part of a stream."""

    INVOKE = 1
    RESULT = 2
    ERROR = 3
    CHUNK = 4


def packed(kind: MessageKind, body: bytes) -> bytes:
    return _HEAD.pack(kind, len(body)) + body


def invocation(context: InvocationContext, payload: bytes) -> bytes:
    """Encode the body of INVOKE: the context in a line of JSON, then the payload."""
    values = asdict(context)
    return json.dumps({name: values[name] for name in _SENT}).encode() + b"\n" + payload


def read_invocation(body: bytes) -> tuple[InvocationContext, bytes]:
    line, _, payload = body.partition(b"\n")
    return InvocationContext(**json.loads(line)), payload


async def read(reader: asyncio.StreamReader) -> Message:
    """Read a message. Raises IncompleteReadError or OSError at the end."""
    kind, size = _HEAD.unpack(await reader.readexactly(_HEAD.size))
    return kind, await reader.readexactly(size)


def receive(channel: socket.socket) -> Message | None:
    """Wait for a message; returns None at the end."""
    if (head := _receive(channel, _HEAD.size)) is None:
        return None
    kind, size = _HEAD.unpack(head)
    body = _receive(channel, size)
    return None if body is None else (kind, body)


def _receive(channel: socket.socket, size: int) -> bytes | None:
    received = bytearray()
    while len(received) < size:
        if not (part := channel.recv(size - len(received))):
            return None
        received += part
    return bytes(received)
