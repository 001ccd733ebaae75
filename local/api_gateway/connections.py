"""The management API of a WebSocket API: `POST`, `GET` and `DELETE /{stage}/@connections/{id}`, for roles only.

Source: API Gateway Developer Guide, "Use @connections commands in your backend service".
"""

import datetime
import re
from urllib.parse import unquote

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from local import signatures
from local.api_gateway.proxy_event import ProxyCall
from local.api_gateway.responses import GatewayError
from local.api_gateway.websocket import MESSAGE_LIMIT, OpenSocket, WebSocketGateway

_PATH = re.compile(r"/[^/]+/@connections/(?P<id>[^/]+)")
_NORMAL = 1000


def connections_api(gateway: WebSocketGateway, otherwise: ASGIApp) -> ASGIApp:
    """Return an ASGI app that passes requests to other paths on to `otherwise`."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        match = _PATH.fullmatch(scope["raw_path"].decode("latin-1")) if scope["type"] == "http" else None
        if match is None:
            await otherwise(scope, receive, send)
            return
        request = Request(scope, receive)
        response = await _answer(gateway, request, unquote(match["id"]))
        await response(scope, receive, send)

    return app


async def _answer(gateway: WebSocketGateway, request: Request, connection_id: str) -> Response:
    body = await request.body()
    try:
        signatures.check(ProxyCall.of(request.scope), body)
    except GatewayError:
        return _error(403, "ForbiddenException", "the request is not signed")
    connection = await gateway.find(connection_id)
    if connection is None:
        return _gone()
    match request.method:
        case "POST":
            return await _post(connection, body)
        case "GET":
            return JSONResponse(_described(connection))
        case "DELETE":
            await connection.close(_NORMAL)
            return Response(status_code=204)
        case _:
            return _error(403, "ForbiddenException", "no such command")


async def _post(connection: OpenSocket, data: bytes) -> Response:
    if len(data) > MESSAGE_LIMIT:
        return _error(413, "PayloadTooLargeException", "the message is too large")
    try:
        return Response() if await connection.post(data) else _gone()
    except TimeoutError:
        return _error(500, "InternalServerError", "the client is not reading")


def _described(connection: OpenSocket) -> dict[str, object]:
    def moment(seconds: float) -> str:
        return datetime.datetime.fromtimestamp(seconds, datetime.UTC).isoformat(timespec="milliseconds")

    call = connection.handshake.call
    return {
        "connectedAt": moment(connection.handshake.connected_at / 1000),
        "lastActiveAt": moment(connection.active_at),
        "identity": {"sourceIp": call.source_ip, "userAgent": call.header("user-agent") or ""},
    }


def _gone() -> Response:
    return _error(410, "GoneException", "the connection is gone")


def _error(status: int, kind: str, message: str) -> Response:
    return JSONResponse({"message": message}, status, headers={"x-amzn-ErrorType": kind})
