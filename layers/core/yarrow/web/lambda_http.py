"""An ASGI app as a Lambda handler for API Gateway's REST proxy events, buffered or streaming."""

import asyncio
import json
from collections import defaultdict
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractContextManager, asynccontextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Any, ClassVar

import anyio
from mangum import Mangum
from mangum.adapter import DEFAULT_TEXT_MIME_TYPES
from mangum.handlers import APIGateway
from mangum.types import ASGI, LambdaConfig, LambdaContext, Message

from yarrow.observability import logs
from yarrow.observability.logs import logger
from yarrow.settings import settings

TEXT_TYPES = [*DEFAULT_TEXT_MIME_TYPES, "application/problem+json"]
PRELUDE_END = b"\0" * 8

STOP_SECONDS = 1.0
"""Time from disconnect until the app is cancelled."""

_CONFIG: LambdaConfig = {"api_gateway_base_path": "/", "text_mime_types": TEXT_TYPES, "exclude_headers": []}


def _invocation(event: dict[str, Any], context: LambdaContext) -> AbstractContextManager[None]:
    request = event["requestContext"]
    caller = (request.get("authorizer") or {}).get("sub")
    return logs.invocation(context, request_id=request["requestId"], user_id=caller)


def buffered(app: ASGI) -> Callable[[dict[str, Any], LambdaContext], dict[str, Any]]:
    """Return a handler that sends anything but text as base64. Each event has its own loop, so endpoints may block,
    which is faster than a thread.
    """

    def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
        # Mangum uses the thread's current loop.
        with _invocation(event, context), asyncio.Runner():
            return Mangum(app, lifespan="off", text_mime_types=TEXT_TYPES)(event, context)

    return handler


@dataclass(frozen=True, slots=True)
class StreamedResponse:
    """Header names are lower-case; repeated ones are only in `multi_value_headers`, Set-Cookie only in `cookies`."""

    media_type: ClassVar[str] = "application/vnd.awslambda.http-integration-response"

    status: int
    headers: dict[str, str]
    multi_value_headers: dict[str, list[str]]
    cookies: list[str]
    body: AsyncIterator[bytes]

    def prelude(self) -> bytes:
        """Return JSON metadata and eight NULs (API Gateway, "Set up a Lambda proxy integration with payload response
        streaming").
        """
        metadata = {
            "statusCode": self.status,
            "headers": self.headers,
            "multiValueHeaders": self.multi_value_headers,
            "cookies": self.cookies,
        }
        return json.dumps(metadata).encode() + PRELUDE_END


class Streaming:
    """The handler for a STREAM integration. Calling it returns the response in one piece, for the console and the
    managed runtime; `open` streams.
    """

    def __init__(self, app: ASGI) -> None:
        if settings.in_lambda:  # in the init phase, which has a full CPU; anyio would do it in the first request
            import_module("anyio._backends._asyncio")
        self._app = app
        self._buffered = buffered(app)

    def __call__(self, event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
        return self._buffered(event, context)

    @asynccontextmanager
    async def open(self, event: dict[str, Any], context: LambdaContext) -> AsyncIterator[StreamedResponse]:
        """Run the app within the context; yields its response once started. `send` returns when its chunk has been
        read. The app's errors are raised here, or from `body` once the response has started; an app that ends early
        raises RuntimeError. Leaving the context disconnects, cancels the app after `STOP_SECONDS`, and waits for its
        end. Apps that send from an async generator need `contextlib.aclosing`.
        """
        with _invocation(event, context):
            async with self._answered(APIGateway(event, context, _CONFIG)) as response:
                yield response

    @asynccontextmanager
    async def _answered(self, request: APIGateway) -> AsyncIterator[StreamedResponse]:
        exchange = _Exchange(self._app, request)
        try:
            start = await exchange.next_message("http.response.start")
            by_name: defaultdict[str, list[str]] = defaultdict(list)
            for name, value in start.get("headers", ()):
                by_name[name.decode("latin-1").lower()].append(value.decode("latin-1"))
            cookies = by_name.pop("set-cookie", [])
            yield StreamedResponse(
                status=start["status"],
                headers={name: values[0] for name, values in by_name.items() if len(values) == 1},
                multi_value_headers={name: values for name, values in by_name.items() if len(values) > 1},
                cookies=cookies,
                body=exchange,
            )
        finally:
            await exchange.stop()


class _Exchange(AsyncIterator[bytes]):
    """The server side of the app's `receive` and `send`, iterated for the body."""

    def __init__(self, app: ASGI, request: APIGateway) -> None:
        self._body: bytes | None = request.body
        self._disconnected = asyncio.Event()
        self._messages: asyncio.Queue[Message | None] = asyncio.Queue()  # `send` keeps it at one; None: the app ended
        self._more = True
        self._end_taken = False
        self._task = asyncio.create_task(app(request.scope, self._receive, self._send))
        self._task.add_done_callback(lambda _: self._messages.put_nowait(None))

    async def _receive(self) -> Message:
        if self._body is not None:
            body, self._body = self._body, None
            return {"type": "http.request", "body": body, "more_body": False}
        await self._disconnected.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Message) -> None:
        self._messages.put_nowait(message)
        await self._messages.join()

    async def next_message(self, expected: str) -> Message:
        """Return the app's next message. Raises the app's error, or RuntimeError if it ended or sent another type."""
        message = await self._messages.get()
        if message is None:
            self._end_taken = True
            self._task.result()
            raise RuntimeError(f"the application ended before {expected}")
        self._messages.task_done()
        if message["type"] != expected:
            raise RuntimeError(f"the application sent {message['type']} before {expected}")
        return message

    async def __anext__(self) -> bytes:
        while self._more:
            message = await self.next_message("http.response.body")
            self._more = message.get("more_body", False)
            if chunk := message.get("body", b""):
                return bytes(chunk)
        raise StopAsyncIteration

    async def stop(self) -> None:
        """Disconnect the app, then cancel it; later errors are only logged. A cancelled caller still waits: the app may
        hold resources.
        """
        ending = asyncio.create_task(self._stop())
        cancelled: asyncio.CancelledError | None = None
        with anyio.CancelScope(shield=True):
            while not ending.done():
                try:
                    await asyncio.shield(ending)
                except asyncio.CancelledError as error:
                    cancelled = error
        if cancelled is not None:
            raise cancelled

    async def _stop(self) -> None:
        self._disconnected.set()
        # Shielded, because a caller's cancelled scope would interrupt every wait and leave the app running.
        try:
            with anyio.move_on_after(STOP_SECONDS, shield=True):
                await asyncio.wait({self._task})
        finally:
            self._task.cancel()
        with anyio.CancelScope(shield=True):
            await asyncio.wait({self._task})
        if not self._task.cancelled() and not self._end_taken and (error := self._task.exception()):
            logger.error("the app raised after the client disconnected", exc_info=error)
