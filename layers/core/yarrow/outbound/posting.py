"""Posts a body to a URL that a user has named: to a public address, within a time, without redirects, and reading
little of the answer. A receiver cannot make it wait longer, connect elsewhere or keep more.
"""

import asyncio
import ssl
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import cache
from typing import Final

import httpx2

from yarrow.outbound.public_hosts import ForbiddenHostError, PublicHosts

SECONDS: Final = 10.0
"""For all of a post: to resolve the name, connect, send, and get the answer's status."""

ANSWER_SECONDS: Final = 1.0
"""For the beginning of an answer that is an error."""

ANSWER_CHARACTERS: Final = 200

LOOKUPS: Final = 64
"""Names that are resolved at once: a name server that does not answer takes a thread."""

_OWN_HEADERS: Final = {"Accept-Encoding": "identity", "Connection": "close"}


@dataclass(frozen=True, slots=True)
class PostResult:
    """The answer's status and the beginning of an error's body; without `status`, why there is no answer."""

    milliseconds: int
    status: int | None = None
    answer: str | None = None
    retry_after: float | None = None
    """Seconds that the receiver wants to be left alone."""
    error: str | None = None

    @property
    def is_success(self) -> bool:
        return self.status is not None and 200 <= self.status < 300


async def post(url: str, body: bytes, headers: Mapping[str, str], *, allows_loopback: bool = False) -> PostResult:
    """Post once; never raises for what a receiver does. With `allows_loopback` it reaches this machine as well."""
    started = time.monotonic()

    def result(**members: int | str | float | None) -> PostResult:
        return PostResult(int((time.monotonic() - started) * 1000), **members)  # type: ignore[arg-type]

    try:
        async with asyncio.timeout(SECONDS), _client(allows_loopback) as client:
            request = client.build_request("POST", url, content=body, headers={**headers, **_OWN_HEADERS})
            response = await client.send(request, stream=True)
            try:
                answer = None if response.is_success else await _beginning(response)
                after = _seconds(response.headers.get("Retry-After", ""))
                return result(status=response.status_code, answer=answer, retry_after=after)
            finally:
                await response.aclose()
    except ForbiddenHostError:
        return result(error="the host is not public")
    except (TimeoutError, httpx2.TimeoutException):
        return result(error=f"no answer within {SECONDS:.0f} seconds")
    except (httpx2.HTTPError, httpx2.InvalidURL, OSError, UnicodeError, ValueError) as error:
        return result(error="the certificate is not valid" if "CERTIFICATE" in str(error) else "no connection")


@cache
def event_loop() -> asyncio.AbstractEventLoop:
    """Return the loop of this process for posts, which is not closed: that would wait for names that do not resolve."""
    loop = asyncio.new_event_loop()
    loop.set_default_executor(ThreadPoolExecutor(LOOKUPS, thread_name_prefix="lookup"))
    return loop


def _client(allows_loopback: bool) -> httpx2.AsyncClient:
    """Return a client of one post: connections are pooled by address, and would be used for another name."""
    transport = httpx2.AsyncHTTPTransport(verify=_tls(), trust_env=False)
    public = PublicHosts(transport, allows_loopback=allows_loopback)
    return httpx2.AsyncClient(transport=public, timeout=SECONDS, follow_redirects=False, trust_env=False)


@cache
def _tls() -> ssl.SSLContext:
    """Return the settings of all connections: to load the authorities takes 20 ms."""
    return httpx2.create_ssl_context(trust_env=False)


async def _beginning(response: httpx2.Response) -> str | None:
    found = b""
    try:
        async with asyncio.timeout(ANSWER_SECONDS):
            async for piece in response.aiter_raw():
                found += piece[: 4 * ANSWER_CHARACTERS]
                if len(found) >= 4 * ANSWER_CHARACTERS:
                    break
    except (TimeoutError, httpx2.HTTPError):
        pass  # what came is shown
    text = "".join(sign if sign.isprintable() else " " for sign in found.decode(errors="replace"))
    return text.strip()[:ANSWER_CHARACTERS] or None


def _seconds(header: str) -> float | None:
    """Read Retry-After: seconds or a date (RFC 9110)."""
    if header.isascii() and header.isdigit() and len(header) <= 6:
        return float(header)
    try:
        return max(0.0, (parsedate_to_datetime(header) - datetime.now(UTC)).total_seconds())
    except (TypeError, ValueError):
        return None
