"""Translates requests and responses for httpx2, for both clients."""

from typing import Any, Final

import httpx2

from yarrow_client.effects import Answer, Request
from yarrow_client.watching import SILENCE_SECONDS

BROKEN: Final = (
    httpx2.TimeoutException,
    httpx2.NetworkError,
    httpx2.RemoteProtocolError,
    httpx2.ProxyError,
    httpx2.DecodingError,
)
"""What may pass; a wrong address or scheme does not."""
TIMEOUT: Final = httpx2.Timeout(SILENCE_SECONDS, connect=10.0, pool=None)
"""Of a read: between bytes."""
LIMITS: Final = httpx2.Limits(max_connections=None, max_keepalive_connections=20)


def arguments(url: str, request: Request, token: str | None) -> dict[str, Any]:
    """Return the arguments of httpx2 for a request."""
    address = f"{url.rstrip('/')}{request.path}" if request.path.startswith("/") else request.path
    headers = dict(request.headers)
    if token is not None:
        headers["Authorization"] = f"Bearer {token}"
    options: dict[str, Any] = {"method": request.method, "url": address, "headers": headers}
    if request.params:
        options["params"] = dict(request.params)
    if request.json is not None:
        options["json"] = request.json
    if request.form is not None:
        options["data"] = dict(request.form)
    if request.file is not None:
        options["files"] = {"file": request.file}
    return options


def answered(response: httpx2.Response, content: bytes = b"") -> Answer:
    """Return a response for a flow."""
    return Answer(response.status_code, response.headers, content)
