"""A sandbox: a process that serves one invocation of one function after another, until its socket is closed."""

import asyncio
import json
import os
import socket
import sys
import threading
from contextvars import copy_context
from typing import NoReturn

from local.sandboxes.invocations import Handler, Result, call, failure
from local.sandboxes.messages import MessageKind, packed, read_invocation, receive
from local.stack import Function
from yarrow.runs.leftover_tasks import cancel_leftovers
from yarrow.web.lambda_bytes import StreamingBytes
from yarrow.web.lambda_runtime import LEFTOVER_SECONDS, InvocationContext


def serve(function: Function, handler: Handler | StreamingBytes, channel: socket.socket) -> NoReturn:
    """Serve invocations; a handler that raises SystemExit ends the process, as on Lambda."""
    threading.current_thread().name = function.name
    runner = asyncio.Runner()  # one loop for all invocations, as on Lambda
    while (message := receive(channel)) is not None:
        context, payload = read_invocation(message[1])
        if isinstance(handler, StreamingBytes):
            result = _stream(runner, handler, payload, context, channel)
        else:
            result = call(handler, payload, context)
        sys.stdout.flush()
        channel.sendall(packed(MessageKind.ERROR if result.failed else MessageKind.RESULT, result.payload))
        if not cancel_leftovers(runner, LEFTOVER_SECONDS):
            os._exit(1)
    os._exit(0)  # ends threads that an agent left behind


def _stream(
    runner: asyncio.Runner,
    handler: StreamingBytes,
    payload: bytes,
    context: InvocationContext,
    channel: socket.socket,
) -> Result:
    """Send the chunks, then an empty result or the error."""

    async def send() -> None:
        loop = asyncio.get_running_loop()
        async with handler.open(json.loads(payload), context) as response:
            async for chunk in response.body:
                await loop.sock_sendall(channel, packed(MessageKind.CHUNK, chunk))

    channel.setblocking(False)
    try:
        runner.run(send(), context=copy_context())
    except Exception as error:  # noqa: BLE001 (a function may raise anything)
        return failure(context, type(error).__name__, str(error), error)
    finally:
        channel.setblocking(True)
    return Result(b"", failed=False)
