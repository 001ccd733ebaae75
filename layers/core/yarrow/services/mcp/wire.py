"""JSON-RPC messages over MCP's streamable HTTP: one POST, answered with JSON or a stream of server-sent events.

Source: MCP 2026-07-28 and 2025-11-25, `basic/transports`. Nothing is asked of the client: of what a server sends
beside its answer, only notifications of progress count.
"""

import base64
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import httpx2

from yarrow.formats import json_text
from yarrow.observability import redaction
from yarrow.outbound.public_hosts import ForbiddenHostError, PublicHosts
from yarrow.settings import settings

CONNECT_SECONDS: Final = 10.0
MAX_ANSWER_BYTES: Final = 2 * 1024 * 1024
MAX_RESULT_BYTES: Final = 8 * 1024 * 1024
"""Of the answer to a call: a picture of 5 MiB takes two thirds more in base64."""
_STREAMS: Final = 2
"""How many times the bytes of its answer a stream may have, with what comes before the answer."""

_UNAUTHORIZED: Final = 401
_REFUSED: Final = frozenset({_UNAUTHORIZED, 403})

Document = dict[str, Any]
GiveToken = Callable[[str | None], Awaitable[str]]
"""Gives a user's token; another one than that which the server has refused, if one is named. Raises McpError."""

Notified = Callable[[Document], Awaitable[None]]
"""Takes a message that is no answer."""


class McpError(Exception):
    """A request failed; the message is public. `code` is that of the JSON-RPC error, `status` of HTTP."""

    def __init__(self, message: str, *, code: int | None = None, status: int | None = None, data: Any = None) -> None:
        super().__init__(message)
        self.code = code
        self.status = status
        self.data = data


class SignInNeededError(McpError):
    """The run's user has to sign in to the server first, and can."""


@dataclass(frozen=True, slots=True)
class Server:
    """How a server is reached. `headers` are its own, with secrets; `seconds` are for one request; `token` is that of
    the run's user, for a server that wants each user's own.
    """

    url: str
    headers: Mapping[str, str]
    private: bool
    seconds: float
    token: GiveToken | None = None


def client(server: Server) -> httpx2.AsyncClient:
    """Return a client of one server. Only public hosts are reached, unless the server is private."""
    transport: httpx2.AsyncBaseTransport = httpx2.AsyncHTTPTransport(trust_env=False)
    if not server.private:
        transport = PublicHosts(transport, allows_loopback=not settings.in_lambda)
    return httpx2.AsyncClient(
        transport=transport,
        timeout=httpx2.Timeout(server.seconds, connect=min(CONNECT_SECONDS, server.seconds)),
        follow_redirects=False,
    )


def header_value(text: str) -> str:
    """Return a text as a header's value: in base64 if it has other characters, or spaces at its ends."""
    if text.isascii() and text.isprintable() and text == text.strip() and not text.startswith("=?"):
        return text
    return f"=?base64?{base64.b64encode(text.encode()).decode()}?="


async def post(
    http: httpx2.AsyncClient,
    server: Server,
    message: Document,
    headers: Mapping[str, str],
    most: int = MAX_ANSWER_BYTES,
    notified: Notified | None = None,
) -> tuple[Document | None, httpx2.Headers]:
    """Send a message; returns the result of a request, None for a notification, and the headers of the response.

    `most` are the bytes of the answer; `notified` takes what a stream tells before it. A user's token that the server
    refuses is renewed once: what is refused has not been done. Raises McpError.
    """
    if server.token is None:
        return await _post(http, server, message, headers, most, notified)
    token = await server.token(None)
    try:
        return await _post(http, server, message, {**headers, **_bearer(token)}, most, notified)
    except McpError as error:
        if error.status != _UNAUTHORIZED:
            raise
    token = await server.token(token)
    return await _post(http, server, message, {**headers, **_bearer(token)}, most, notified)


def _bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


async def _post(
    http: httpx2.AsyncClient,
    server: Server,
    message: Document,
    headers: Mapping[str, str],
    most: int,
    notified: Notified | None,
) -> tuple[Document | None, httpx2.Headers]:
    own = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
    content = json.dumps(message, ensure_ascii=False).encode()
    try:
        async with http.stream(
            "POST", server.url, content=content, headers={**server.headers, **headers, **own}
        ) as response:
            answer = await _answer(response, message.get("id"), most, notified)
    except ForbiddenHostError as error:
        raise McpError("the server is not a public host") from error
    except httpx2.TimeoutException as error:
        raise McpError("the server took too long") from error
    except httpx2.HTTPError as error:
        raise McpError("the server cannot be reached") from error
    return answer, response.headers


async def _answer(response: httpx2.Response, request_id: Any, most: int, notified: Notified | None) -> Document | None:
    if request_id is None and response.is_success:
        return None
    kind = response.headers.get("Content-Type", "").partition(";")[0].strip().lower()
    if response.is_success and kind == "text/event-stream":
        async for data in _events(response, most):
            message = _document(data)
            if (answer := _of_request(message, request_id)) is not None:
                return _result(answer)
            if notified is not None and isinstance(message, dict) and isinstance(message.get("method"), str):
                await notified(message)
        raise McpError("the server ended its stream without an answer")
    body, status = await _body(response, most), response.status_code
    if kind == "application/json" and body and status not in _REFUSED:
        answer = _of_request(_document(body, status), request_id)
        if answer is not None:
            return _result(answer, status)
    if response.is_success:
        raise McpError("the server did not answer the request", status=status)
    raise _refused(status)


async def _body(response: httpx2.Response, most: int) -> bytes:
    body = bytearray()
    async for piece in response.aiter_bytes():
        body += piece
        _check_size(len(body), most)
    return bytes(body)


async def _events(response: httpx2.Response, most: int) -> AsyncIterator[bytes]:
    """Yield the data of server-sent events, each of at most `most` bytes."""
    size, pending, data = 0, bytearray(), bytearray()
    async for piece in response.aiter_bytes():
        size += len(piece)
        _check_size(size, _STREAMS * most)
        pending += piece
        _check_size(len(pending) + len(data), most)
        if b"\n" not in piece:
            continue
        *lines, rest = pending.split(b"\n")
        pending = bytearray(rest)
        for line in lines:
            text = line.removesuffix(b"\r")
            if text.startswith(b"data:"):
                data += text[5:].strip()
            elif not text and data:
                yield bytes(data)
                data.clear()


def _check_size(size: int, most: int) -> None:
    if size > most:
        raise McpError(f"the server's answer exceeds {most} bytes")


def _document(data: bytes, status: int = 200) -> Any:
    try:
        document = json_text.replace_lone_surrogates(json_text.loads(data))
        json_text.dumps(document)  # 1e999 is read as infinity, which no JSON has
    except ValueError as error:
        if status >= 400:
            raise _refused(status) from error
        raise McpError("the server sent what is no JSON", status=status) from error
    return document


def _refused(status: int) -> McpError:
    if status in _REFUSED:
        return McpError("the server refused the credentials", status=status)
    return McpError(f"the server answered with status {status}", status=status)


def _of_request(document: Any, request_id: Any) -> Document | None:
    """Return a response to the request; None for another message. Some servers answer a bad request without an id."""
    if not isinstance(document, dict) or not ("result" in document or "error" in document):
        return None
    answered = document.get("id")
    return document if answered == request_id or ("error" in document and answered is None) else None


def _result(answer: Document, status: int = 200) -> Document:
    error = answer.get("error")
    if isinstance(error, dict):
        message, code = error.get("message"), error.get("code")
        text = redaction.without_secrets(message)[:500] if isinstance(message, str) and message else "no reason"
        number = code if isinstance(code, int) else None
        raise McpError(f"the server reports an error: {text}", code=number, status=status, data=error.get("data"))
    result = answer.get("result")
    if not isinstance(result, dict):
        raise McpError("the server's answer has no result")
    return result
