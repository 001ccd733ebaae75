"""API Gateway: an ASGI app that serves the routes of a stack's REST API.

A request passes the body limit, the route, the authorizer and the integration with its timeout. The template's gateway
responses answer failures. Paths have no stage, as with a custom domain. Unlike on AWS, a function's stream ends when
the client disconnects.
"""

import asyncio
import json
import logging
import time
from collections.abc import Iterable, Mapping
from typing import Any

from starlette.requests import ClientDisconnect
from starlette.types import Receive, Scope, Send

from local import signatures
from local.api_gateway import storage
from local.api_gateway.authorizer import ApiAuthorization
from local.api_gateway.proxy_event import (
    MalformedResponseError,
    ProxyCall,
    ProxyResponse,
    proxy_event,
    response_headers,
)
from local.api_gateway.responses import GatewayError, ResponseType, render
from local.api_gateway.routing import Match, Router
from local.functions import LambdaHost, PayloadTooLargeError
from local.stack import IAM, Api, LambdaIntegration, MockIntegration, StorageIntegration
from yarrow.protocol.problems import Code, Problem

BODY_LIMIT = 10 * 1024 * 1024
"""Bytes of a request body (API Gateway quotas, "Payload size")."""

# Bytes of a refused body that are read: a client that is still sending would miss the response.
_READ_LIMIT = 4 * BODY_LIMIT

_CLOSED_HEADERS = (("content-type", "application/problem+json"), ("retry-after", "1"), ("connection", "close"))

logger = logging.getLogger(__name__)


class Gateway:
    def __init__(self, api: Api, host: LambdaHost) -> None:
        """Connect routes to functions. Raises `TemplateError` for a streaming route whose function cannot stream."""
        self._api = api
        self._host = host
        self._router = Router(api.routes)
        self._authorization = ApiAuthorization(api, host)
        self._exchanges: set[asyncio.Task[Any]] = set()
        self._closed = False
        for route in api.routes:
            if isinstance(route.integration, LambdaIntegration) and route.integration.streaming:
                host.check_streaming(route.integration.function)

    def close(self) -> None:
        """Cut off streams, cancel their functions, and answer other requests with 503."""
        self._closed = True
        for exchange in self._exchanges:
            exchange.cancel()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        call = ProxyCall.of(scope)
        response = _Response(send, call.request_id)
        if not self._closed:
            exchange = asyncio.create_task(self._answer(call, receive, response))
            self._exchanges.add(exchange)
            # A cancelled exchange leaves its response incomplete, which closes the connection.
            await asyncio.wait({exchange})
            self._exchanges.discard(exchange)
            if not exchange.cancelled():
                exchange.result()
        if self._closed and response.status is None:
            await response.send(503, _CLOSED_HEADERS, _closed_body(call.path))
        milliseconds = (time.time() - call.received) * 1000
        logger.info("%s %s %s %.0f ms", call.method, call.path, response.status or "-", milliseconds)

    async def _answer(self, call: ProxyCall, receive: Receive, response: "_Response") -> None:
        try:
            body = await _read(receive)
        except ClientDisconnect:
            return
        match = self._router.match(call.method, call.path)
        if match is None:
            await self._refuse(ResponseType.MISSING_AUTHENTICATION_TOKEN, call, None, response)
            return
        try:
            identity = await self._identity(call, match, body)
            await self._integrate(call, match, identity, body, receive, response)
        except GatewayError as error:
            await self._refuse(error.kind, call, match, response)

    async def _identity(self, call: ProxyCall, match: Match, body: bytes | None) -> Mapping[str, Any] | None:
        if match.route.authorizer != IAM:
            return await self._authorization.identity(call, match)
        signatures.check(call, body or b"")
        return None

    async def _refuse(self, kind: ResponseType, call: ProxyCall, match: Match | None, response: "_Response") -> None:
        rendered = render(self._api, call, match, kind)
        await response.send(rendered.status, rendered.headers.items(), rendered.body)

    async def _integrate(
        self,
        call: ProxyCall,
        match: Match,
        identity: Mapping[str, Any] | None,
        body: bytes | None,
        receive: Receive,
        response: "_Response",
    ) -> None:
        if body is None:
            raise GatewayError(ResponseType.REQUEST_TOO_LARGE)
        integration = match.route.integration
        if isinstance(integration, MockIntegration):
            headers = {"content-type": "application/json"} | dict(integration.headers)
            await response.send(integration.status, headers.items(), integration.body.encode())
            return
        if isinstance(integration, StorageIntegration):
            stored = await storage.store(self._api, integration, call, match, identity, body)
            await response.send(stored.status, stored.headers.items(), stored.body)
            return
        event = proxy_event(self._api, call, match, body, identity)
        payload = json.dumps(event, ensure_ascii=False).encode()
        if integration.streaming:
            await self._stream(integration, payload, receive, response)
        else:
            answer = await self._buffer(integration, payload, call)
            await response.send(answer.status, answer.headers, answer.body)

    async def _buffer(self, integration: LambdaIntegration, payload: bytes, call: ProxyCall) -> ProxyResponse:
        try:
            async with asyncio.timeout(integration.timeout):
                result = await self._host.invoke(integration.function, payload)
        except (PayloadTooLargeError, TimeoutError) as error:
            raise GatewayError(_response_type(error)) from error
        if result.failed:
            raise GatewayError(ResponseType.DEFAULT_5XX)
        try:
            return ProxyResponse.read(result.payload, self._api, call.header("accept"))
        except MalformedResponseError as error:
            logger.error("%s: %s", integration.function, error)  # noqa: TRY400 (a traceback of ours says nothing)
            raise GatewayError(ResponseType.DEFAULT_5XX) from error

    async def _stream(
        self, integration: LambdaIntegration, payload: bytes, receive: Receive, response: "_Response"
    ) -> None:
        relay = asyncio.create_task(self._relay(integration, payload, response))
        gone = asyncio.create_task(_disconnect(receive))
        try:
            await asyncio.wait({relay, gone}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            relay.cancel()
            gone.cancel()
            await asyncio.wait({relay, gone})
        if relay.cancelled() or (error := relay.exception()) is None:
            return
        logger.error("%s failed", integration.function, exc_info=error)
        # The status was sent, so only an incomplete body shows the failure.
        if response.status is None:
            raise GatewayError(_response_type(error)) from error

    async def _relay(self, integration: LambdaIntegration, payload: bytes, response: "_Response") -> None:
        async with (
            asyncio.timeout(integration.timeout),
            self._host.open(integration.function, payload) as streamed,
        ):
            headers = response_headers(streamed.headers, streamed.multi_value_headers)
            await response.start(streamed.status, [*headers, *(("set-cookie", cookie) for cookie in streamed.cookies)])
            async for chunk in streamed.body:
                await response.write(chunk)
        await response.end()


def _closed_body(path: str) -> bytes:
    problem = Problem(Code.SERVICE_UNAVAILABLE, "the local stack is shutting down")
    return json.dumps(problem.document(instance=path)).encode()


class _Response:
    """A response; `status` is None until it starts."""

    def __init__(self, send: Send, request_id: str) -> None:
        self._send = send
        self._request_id = request_id
        self.status: int | None = None

    async def send(self, status: int, headers: Iterable[tuple[str, str]], body: bytes) -> None:
        """Send a whole response."""
        await self.start(status, [*headers, ("content-length", str(len(body)))])
        await self._send({"type": "http.response.body", "body": body})

    async def start(self, status: int, headers: Iterable[tuple[str, str]]) -> None:
        self.status = status
        fields = [*headers, ("x-amzn-requestid", self._request_id)]
        encoded = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in fields]
        await self._send({"type": "http.response.start", "status": status, "headers": encoded})

    async def write(self, chunk: bytes) -> None:
        await self._send({"type": "http.response.body", "body": chunk, "more_body": True})

    async def end(self) -> None:
        await self._send({"type": "http.response.body", "body": b""})


async def _read(receive: Receive) -> bytes | None:
    """The request body; None if it exceeds `BODY_LIMIT`. Raises `ClientDisconnect` if it is incomplete."""
    body, size, more = bytearray(), 0, True
    while more and size <= _READ_LIMIT:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        chunk = message.get("body", b"")
        size += len(chunk)
        if size <= BODY_LIMIT:
            body += chunk
        more = message.get("more_body", False)
    return bytes(body) if size <= BODY_LIMIT else None


async def _disconnect(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _response_type(error: BaseException) -> ResponseType:
    match error:
        case PayloadTooLargeError():
            return ResponseType.REQUEST_TOO_LARGE
        case TimeoutError():
            return ResponseType.INTEGRATION_TIMEOUT
        case _:
            return ResponseType.DEFAULT_5XX
