"""One request to an MCP server or its authorization server, which are strangers: to a public host, without redirects,
within a time, and reading little of the answer.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import urlsplit

import httpx2

from yarrow.formats import json_text
from yarrow.outbound.public_hosts import ForbiddenHostError, PublicHosts
from yarrow.settings import settings

SECONDS: Final = 10.0
"""For all of a request: to resolve the name, connect, send, and read the answer."""

MAX_BYTES: Final = 64 * 1024
"""The longest answer that is read."""

MAX_URL: Final = 2_000

_LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})


class OAuthError(Exception):
    """Nothing came of a request. The message is public: it names no address, and repeats no text of a stranger."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A status with its headers, and the JSON object of the body; empty if the body is none."""

    status: int
    headers: httpx2.Headers
    document: Mapping[str, Any] = field(default_factory=dict, repr=False)

    @property
    def is_success(self) -> bool:
        return 200 <= self.status < 300


async def ask(
    method: str,
    url: str,
    *,
    private: bool = False,
    form: Mapping[str, str] | None = None,
    document: Mapping[str, Any] | None = None,
    headers: Mapping[str, str] | None = None,
    seconds: float = SECONDS,
) -> Answer:
    """Send a request, with a form or a document as its body. With `private` it reaches private networks as well.

    Raises OAuthError.
    """
    own = {**(headers or {}), "Accept": "application/json", "Accept-Encoding": "identity", "Connection": "close"}
    try:
        async with asyncio.timeout(seconds), _client(private, seconds) as client:
            request = client.build_request(method, url, data=form, json=document, headers=own)
            response = await client.send(request, stream=True)
            try:
                return Answer(response.status_code, response.headers, _object(await _body(response)))
            finally:
                await response.aclose()
    except ForbiddenHostError as error:
        raise OAuthError("the host is not public") from error
    except (TimeoutError, httpx2.TimeoutException) as error:
        raise OAuthError("the server took too long") from error
    except (httpx2.HTTPError, httpx2.InvalidURL, OSError, UnicodeError, ValueError) as error:
        raise OAuthError("the server cannot be reached") from error


def is_safe(url: object) -> bool:
    """Whether secrets may go to an address: by https, locally also to this machine, without user and fragment."""
    if not isinstance(url, str) or len(url) > MAX_URL or not url.isascii() or not url.isprintable() or " " in url:
        return False
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        return False
    if not host or "@" in parts.netloc or parts.fragment:
        return False
    return parts.scheme == "https" or (parts.scheme == "http" and host in _LOOPBACK and not settings.in_lambda)


def _client(private: bool, seconds: float) -> httpx2.AsyncClient:
    """Return a client of one request: connections are pooled by address, and would be used for another name."""
    transport: httpx2.AsyncBaseTransport = httpx2.AsyncHTTPTransport(trust_env=False)
    if not private:
        transport = PublicHosts(transport, allows_loopback=not settings.in_lambda)
    return httpx2.AsyncClient(transport=transport, timeout=seconds, follow_redirects=False, trust_env=False)


async def _body(response: httpx2.Response) -> bytes:
    body = bytearray()
    async for piece in response.aiter_raw():
        body += piece
        if len(body) > MAX_BYTES:
            raise OAuthError(f"the answer exceeds {MAX_BYTES} bytes")
    return bytes(body)


def _object(body: bytes) -> Mapping[str, Any]:
    try:
        document = json_text.loads(body)
    except ValueError:
        return {}
    return document if isinstance(document, dict) else {}
