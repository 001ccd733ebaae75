"""Calls this API over HTTP as a client does: its description, a request without a credential, and a run."""

import json
import time
from collections.abc import Iterator
from http.client import HTTPException
from typing import Any, Final
from urllib.error import HTTPError
from urllib.request import Request, urlopen
from uuid import uuid4

_SECONDS: Final = 10
"""For a response to begin, and between two pieces of it."""

_RUN_SECONDS: Final = 60
_MOST_BYTES: Final = 1_000_000
_DATA: Final = b"data:"


class ProbeFailedError(Exception):
    """What was not as it should be; without the key."""


def probe(url: str, api_key: str) -> None:
    """Check the API at `url`, with a run of the assistant if there is an API key. Raises ProbeFailedError."""
    status, description = _answer(Request(f"{url}/openapi.json"))  # noqa: S310 (the stack's own address)
    if status != 200 or "openapi" not in description:
        raise ProbeFailedError(f"GET /openapi.json: {status}")
    status, problem = _answer(Request(f"{url}/api/v1/agent/history"))  # noqa: S310 (the stack's own address)
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
    request = Request(f"{url}/send-message", json.dumps(body).encode(), headers, method="POST")  # noqa: S310 (the stack's own address)
    for event in _events(request):
        if event.get("type") == "RUN_FINISHED":
            return
        if event.get("type") == "RUN_ERROR":
            raise ProbeFailedError(f"POST /send-message: RUN_ERROR {event.get('code')}")
    raise ProbeFailedError("POST /send-message: the stream ended without an end of the run")


def _events(request: Request) -> Iterator[dict[str, Any]]:
    """The events of a stream. Raises ProbeFailedError, also after 60 seconds."""
    until, size = time.monotonic() + _RUN_SECONDS, 0
    try:
        with urlopen(request, timeout=_SECONDS) as response:  # noqa: S310 (the stack's own address)
            for line in response:
                size += len(line)
                if time.monotonic() > until or size > _MOST_BYTES:
                    raise ProbeFailedError(f"POST /send-message: no end of the run after {size} bytes")
                if line.startswith(_DATA):
                    yield json.loads(line.removeprefix(_DATA))
    except HTTPError as error:
        error.close()
        raise ProbeFailedError(f"POST /send-message: {error.code}") from None
    except (OSError, HTTPException, ValueError) as error:
        raise ProbeFailedError(f"POST /send-message: {type(error).__name__}") from error


def _answer(request: Request) -> tuple[int, dict[str, Any]]:
    """The status and the JSON object of a response, empty if it is none. Raises ProbeFailedError."""
    try:
        try:
            response = urlopen(request, timeout=_SECONDS)  # noqa: S310 (the stack's own address)
        except HTTPError as error:
            response = error
        with response:
            body = json.loads(response.read(_MOST_BYTES))
    except ValueError:
        return response.status, {}
    except (OSError, HTTPException) as error:
        raise ProbeFailedError(f"{request.get_method()} {request.selector}: {type(error).__name__}") from error
    return response.status, body if isinstance(body, dict) else {}
