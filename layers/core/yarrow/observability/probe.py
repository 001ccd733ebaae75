"""Calls this API over HTTP as a client does: its description, a request without a credential, and a run."""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPException, HTTPResponse
from typing import Any, Final
from urllib.error import HTTPError
from urllib.request import Request, urlopen
from uuid import uuid4

_SECONDS: Final = 10
"""Limit until a response begins, and between two pieces of it."""

_RUN_SECONDS: Final = 60
_MAX_BYTES: Final = 1_000_000
_DATA: Final = b"data:"


class ProbeFailedError(Exception):
    """Names the failed check; the message never has the key."""


def probe(url: str, api_key: str) -> None:
    """Check the API at `url`, with a run on `/send-message` if there is an API key. Raises ProbeFailedError."""
    status, description = _document(url, "/openapi.json")
    if status != 200 or "openapi" not in description:
        raise ProbeFailedError(f"GET /openapi.json: {status}")
    status, problem = _document(url, "/api/v1/agent/history")
    if status != 401 or problem.get("code") != "AUTH_UNAUTHORIZED":
        raise ProbeFailedError(f"GET /api/v1/agent/history without a credential: {status}")
    if api_key:
        _run(url, api_key)


def _run(url: str, api_key: str) -> None:
    now = time.gmtime()
    body = {
        "threadId": f"probe-{time.strftime('%Y-%m-%d-%H', now)}",  # a session an hour stays short
        "runId": f"probe-{uuid4()}",
        "messages": [{"id": f"message-{uuid4()}", "role": "user", "content": "/call get_current_time {}"}],
    }
    headers = {"Authorization": f"Bearer {api_key}", "Content-Type": "application/json"}
    with _opened(url, "/send-message", json.dumps(body).encode(), headers) as response:
        if response.status != 200:
            raise ProbeFailedError(f"POST /send-message: {response.status}")
        for event in _events(response):
            if event.get("type") == "RUN_FINISHED":
                return
            if event.get("type") == "RUN_ERROR":
                raise ProbeFailedError(f"POST /send-message: RUN_ERROR {event.get('code')}")
    raise ProbeFailedError("POST /send-message: the stream ended without an end of the run")


def _events(response: HTTPResponse) -> Iterator[dict[str, Any]]:
    """Yield the events of a stream. Raises ProbeFailedError after 60 seconds, and ValueError."""
    until, size = time.monotonic() + _RUN_SECONDS, 0
    for line in response:
        size += len(line)
        if time.monotonic() > until or size > _MAX_BYTES:
            raise ProbeFailedError(f"POST /send-message: no end of the run after {size} bytes")
        if line.startswith(_DATA):
            yield json.loads(line.removeprefix(_DATA))


def _document(url: str, path: str) -> tuple[int, dict[str, Any]]:
    """Return the status and the JSON object of a response, empty for any other body. Raises ProbeFailedError."""
    with _opened(url, path) as response:
        content = response.read(_MAX_BYTES)
    try:
        document = json.loads(content)
    except ValueError:
        document = None
    return response.status, document if isinstance(document, dict) else {}


@contextmanager
def _opened(
    url: str, path: str, body: bytes | None = None, headers: dict[str, str] | None = None
) -> Iterator[HTTPResponse]:
    """Yield the response to a POST with this body, or to a GET without one. Raises ProbeFailedError."""
    request = Request(f"{url}{path}", body, headers or {})  # noqa: S310 (the stack's own address)
    try:
        try:
            response = urlopen(request, timeout=_SECONDS)  # noqa: S310
        except HTTPError as error:
            response = error
        with response:
            yield response
    except (OSError, HTTPException, ValueError) as error:
        raise ProbeFailedError(f"{request.get_method()} {path}: {type(error).__name__}") from error
