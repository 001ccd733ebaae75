"""API Gateway's WebSocket API: an ASGI app that opens connections and hands their frames to functions.

As on AWS, the authorizer and `$connect` decide on the handshake, frames go to `$default` concurrently, and a connection
ends after ten minutes without a frame either way and after two hours. The server limits sizes (`local.server`).
"""

import asyncio
import json
import logging
import time
from collections.abc import Mapping
from typing import Any

from starlette.types import Message, Receive, Scope, Send

from local.api_gateway.authorizer import UNAUTHORIZED_MESSAGE, allows, context_of, is_decision
from local.api_gateway.websocket_event import Handshake, new_id
from local.functions import LambdaHost, PayloadTooLargeError
from local.stack import WebSocketApi

MESSAGE_LIMIT, FRAME_LIMIT = 128 * 1024, 32 * 1024
"""Bytes of a message and of each of its frames (API Gateway quotas, "WebSocket API")."""

IDLE_SECONDS, LONGEST_SECONDS = 600.0, 7200.0

AT_ONCE = 50
"""Frames of one connection that are handled at the same time; more wait."""

SEND_SECONDS = 10.0
"""How long a frame may wait for a client that does not read."""

_NORMAL, _GOING_AWAY, _NO_STATUS = 1000, 1001, 1005
_REDIRECT = 300

logger = logging.getLogger(__name__)


class HandshakeRefusedError(Exception):
    def __init__(self, status: int) -> None:
        super().__init__(str(status))
        self.status = status


class OpenSocket:
    def __init__(self, handshake: Handshake, identity: Mapping[str, Any] | None, send: Send) -> None:
        self.handshake = handshake
        self.identity = identity
        self.active_at = time.time()
        self.closed = asyncio.Event()
        self.at_once = asyncio.Semaphore(AT_ONCE)
        self._send = send

    async def post(self, data: bytes) -> bool:
        """Send a frame; return whether the connection is still open.

        Raises TimeoutError if the client does not read.
        """
        try:
            text = data.decode()
        except UnicodeDecodeError:
            return await self._transmit({"type": "websocket.send", "bytes": data})
        return await self._transmit({"type": "websocket.send", "text": text})

    async def close(self, code: int) -> None:
        self.closed.set()
        await self._transmit({"type": "websocket.close", "code": code})

    async def _transmit(self, message: Message) -> bool:
        try:
            async with asyncio.timeout(SEND_SECONDS):
                await self._send(message)
        except TimeoutError:
            raise
        except (OSError, RuntimeError):  # the client is gone, or the close was sent
            return False
        self.active_at = time.time()
        return True


class WebSocketGateway:
    """The ASGI app of one WebSocket API; `connections` by id."""

    def __init__(
        self,
        api: WebSocketApi,
        host: LambdaHost,
        idle_seconds: float = IDLE_SECONDS,
        longest_seconds: float = LONGEST_SECONDS,
    ) -> None:
        self.connections: dict[str, OpenSocket] = {}
        self._opening: dict[str, asyncio.Event] = {}
        self._api = api
        self._host = host
        self._idle = idle_seconds
        self._longest = longest_seconds
        self._frames: set[asyncio.Task[None]] = set()
        self._closed = False

    def close(self) -> None:
        """Stop handling frames; the server closes the connections."""
        self._closed = True
        for frame in self._frames:
            frame.cancel()

    async def find(self, connection_id: str) -> OpenSocket | None:
        """Return an open connection; wait for one that is being opened.

        The table's stream is faster here than on AWS, where API Gateway would refuse such a post.

        """
        if connection_id in self._opening:
            await self._opening[connection_id].wait()
        return self.connections.get(connection_id)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await receive()  # websocket.connect
        handshake = Handshake.of(self._api, scope)
        if self._closed:
            await _refuse(send, 503)
            return
        opened = self._opening[handshake.connection_id] = asyncio.Event()
        try:
            identity = await self._authorize(handshake)
            await self._connect(handshake, identity)
            await send({"type": "websocket.accept"})
            connection = OpenSocket(handshake, identity, send)
            self.connections[handshake.connection_id] = connection
        except HandshakeRefusedError as refused:
            logger.info("WebSocket refused %d", refused.status)
            await _refuse(send, refused.status)
            return
        finally:
            opened.set()
            del self._opening[handshake.connection_id]
        try:
            code = await self._serve(connection, receive)
        finally:
            del self.connections[handshake.connection_id]
        logger.info("WebSocket closed %d", code)
        if not self._closed:
            await self._invoke("$disconnect", handshake.disconnect_event(identity, code))

    async def _authorize(self, handshake: Handshake) -> Mapping[str, Any] | None:
        if self._api.authorizer is None:
            return None
        payload = json.dumps(handshake.authorizer_event(), ensure_ascii=False).encode()
        result = await self._host.invoke(self._api.authorizer, payload, refusal=UNAUTHORIZED_MESSAGE)
        decision: dict[str, Any] = json.loads(result.payload)
        if result.failed:
            raise HandshakeRefusedError(401 if decision["errorMessage"] == UNAUTHORIZED_MESSAGE else 500)
        if not is_decision(decision):
            raise HandshakeRefusedError(500)
        if not allows(decision["policyDocument"], handshake.method_arn):
            raise HandshakeRefusedError(403)
        return context_of(decision)

    async def _connect(self, handshake: Handshake, identity: Mapping[str, Any] | None) -> None:
        if "$connect" not in self._api.routes:
            return
        answer = await self._invoke("$connect", handshake.connect_event(identity))
        status = answer.get("statusCode") if isinstance(answer, dict) else None
        if not isinstance(status, int):
            raise HandshakeRefusedError(502)
        if status >= _REDIRECT:
            raise HandshakeRefusedError(status)

    async def _serve(self, connection: OpenSocket, receive: Receive) -> int:
        """Pass frames on until the connection ends; returns its close code."""
        ends_at = time.time() + self._longest
        closed = asyncio.create_task(connection.closed.wait())
        received = asyncio.ensure_future(receive())
        try:
            while True:
                limit = min(ends_at, connection.active_at + self._idle) - time.time()
                if limit <= 0:
                    await connection.close(_GOING_AWAY)
                    return _GOING_AWAY
                await asyncio.wait({received, closed}, timeout=limit, return_when=asyncio.FIRST_COMPLETED)
                if received.done():
                    message = received.result()
                    if message["type"] == "websocket.disconnect":
                        return int(message.get("code") or _NO_STATUS)
                    connection.active_at = time.time()
                    await self._hand_on(connection, message)
                    received = asyncio.ensure_future(receive())
                elif closed.done():
                    return _NORMAL
        finally:
            closed.cancel()
            received.cancel()

    async def _hand_on(self, connection: OpenSocket, message: Message) -> None:
        content = message.get("text")
        await connection.at_once.acquire()
        frame = asyncio.create_task(self._handle(connection, message["bytes"] if content is None else content))
        self._frames.add(frame)
        frame.add_done_callback(self._frames.discard)
        frame.add_done_callback(lambda _: connection.at_once.release())

    async def _handle(self, connection: OpenSocket, content: str | bytes) -> None:
        event = connection.handshake.message_event(connection.identity, content, new_id())
        answer = await self._invoke("$default", event)
        if answer is None:
            error = {
                "message": "Internal server error" if "$default" in self._api.routes else "Forbidden",
                "connectionId": connection.handshake.connection_id,
                "requestId": event["requestContext"]["requestId"],
            }
            await connection.post(json.dumps(error).encode())

    async def _invoke(self, route: str, event: Mapping[str, Any]) -> Any:
        """Return the function's response; None if the route has no function or it failed."""
        if route not in self._api.routes:
            return None
        payload = json.dumps(event, ensure_ascii=False).encode()
        try:
            result = await self._host.invoke(self._api.routes[route], payload)
        except PayloadTooLargeError:
            return None
        return None if result.failed else json.loads(result.payload)


async def _refuse(send: Send, status: int) -> None:
    body = json.dumps({"message": "Unauthorized" if status == 401 else "Forbidden" if status == 403 else "Refused"})
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "websocket.http.response.start", "status": status, "headers": headers})
    await send({"type": "websocket.http.response.body", "body": body.encode()})
