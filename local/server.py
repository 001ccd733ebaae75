"""One event loop for the public port and the emulator's callbacks."""

import asyncio
import contextlib
import logging
import signal
import socket
from collections.abc import Awaitable, Callable, Iterable, Iterator
from typing import Protocol, cast

import anyio.to_thread
import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send

from local.api_gateway.websocket import FRAME_LIMIT, MESSAGE_LIMIT

# Seconds for streams to end; other requests are cut off.
_SHUTDOWN_SECONDS = 2

_THREADS = 400
"""On Lambda each stream has its own process; here they share threads, and anyio's default is 40."""

_KEEP_ALIVE_SECONDS = 3600
"""Step Functions' task is not retried here: a connection that is closed while it is used again would fail its run."""

_EXIT_CODES = {signal.SIGINT: 130, signal.SIGTERM: 0}


WORKSPACE_PATH = "/workspace"
"""Where the WebSocket API is on the public port."""


Ready = Callable[[], Awaitable[None]]


class Closing(Protocol):
    """Ends its connections when the server stops."""

    def close(self) -> None: ...


def by_port(
    internal_port: int, internal: ASGIApp, identity: ASGIApp, gateway: ASGIApp, web_socket: ASGIApp | None = None
) -> ASGIApp:
    """Return the ASGI app of both ports; the public one serves both APIs and `/local/*`."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["server"] is None or scope["client"] is None:
            return  # the connection was reset before its request was read
        if scope["type"] == "websocket":
            is_served = scope["server"][1] != internal_port and scope["path"] == WORKSPACE_PATH
            await (web_socket if web_socket is not None and is_served else _refuse)(scope, receive, send)
        elif scope["server"][1] == internal_port:
            await internal(scope, receive, send)
        elif scope["path"].startswith("/local/"):
            await identity(scope, receive, send)
        else:
            await gateway(scope, receive, send)

    return app


async def _refuse(_: Scope, receive: Receive, send: Send) -> None:
    await receive()
    await send({"type": "websocket.close"})  # before it is accepted: 403


def serve(app: ASGIApp, closing: Iterable[Closing], sockets: list[socket.socket], ready: Ready) -> int:
    """Serve until SIGINT or SIGTERM, then close everything `closing`; awaits `ready` once connections are accepted.

    Returns the exit code.
    """
    return asyncio.run(_serve(app, closing, sockets, ready))


async def _serve(app: ASGIApp, closing: Iterable[Closing], sockets: list[socket.socket], ready: Ready) -> int:
    config = uvicorn.Config(
        app,
        lifespan="off",
        ws="websockets-sansio",
        # Beyond these the server closes with 1009. API Gateway sends no pings and compresses nothing.
        ws_max_size=cast("int", (MESSAGE_LIMIT, FRAME_LIMIT)),
        ws_ping_interval=None,
        ws_per_message_deflate=False,
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_keep_alive=_KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=_SHUTDOWN_SECONDS,
    )
    log = logging.getLogger("uvicorn.error")
    log.setLevel(logging.ERROR)
    # The gateway leaves a response incomplete to cut it off.
    log.addFilter(lambda record: not record.getMessage().startswith("ASGI callable returned without"))
    server = _Server(config, ready)
    stopped = signal.SIGTERM

    def stop(number: signal.Signals) -> None:
        nonlocal stopped
        stopped = number
        log.disabled = True  # cut connections are no errors from now on
        server.should_exit = True
        for closable in closing:
            closable.close()

    anyio.to_thread.current_default_thread_limiter().total_tokens = _THREADS
    for number in _EXIT_CODES:
        asyncio.get_running_loop().add_signal_handler(number, stop, number)
    await server.serve(sockets)
    return _EXIT_CODES[stopped]


class _Server(uvicorn.Server):
    """uvicorn without signal handling, which would end the process before the emulator."""

    def __init__(self, config: uvicorn.Config, ready: Ready) -> None:
        super().__init__(config)
        self._ready = ready

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        await self._ready()
