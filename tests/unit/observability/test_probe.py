"""The probe against a server on this machine, which answers as the API does or not."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest
from pytest_socket import enable_socket

from yarrow.observability.probe import ProbeFailedError, probe

KEY = "the key of the probe"
EVENTS = ({"type": "RUN_STARTED"}, {"type": "TEXT_MESSAGE_CONTENT", "delta": "noon"}, {"type": "RUN_FINISHED"})


@dataclass
class Api:
    """Statuses and bodies by path."""

    answers: dict[str, tuple[int, bytes]] = field(
        default_factory=lambda: {
            "/openapi.json": (200, b'{"openapi": "3.1.0"}'),
            "/api/v1/agent/history": (401, b'{"code": "AUTH_UNAUTHORIZED"}'),
            "/send-message": (200, frames(*EVENTS)),
        }
    )
    address: str = ""
    requests: list[tuple[str, str | None, dict[str, Any]]] = field(default_factory=list)


def frames(*events: dict[str, Any]) -> bytes:
    return b"".join(b"data: %b\n\n" % json.dumps(event).encode() for event in events)


@contextmanager
def serving() -> Iterator[Api]:
    api = Api()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            size = int(self.headers.get("Content-Length") or 0)
            body = json.loads(self.rfile.read(size)) if size else {}
            api.requests.append((self.path, self.headers["Authorization"], body))
            status, answer = api.answers[self.path]
            self.send_response(status)
            self.end_headers()
            self.wfile.write(answer)

        def do_POST(self) -> None:
            self.do_GET()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (the base class names it so)
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    api.address = f"http://127.0.0.1:{server.server_port}"
    try:
        yield api
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def api() -> Iterator[Api]:
    enable_socket()
    with serving() as api:
        yield api


def test_a_sound_api_passes_and_runs_only_with_a_key(api: Api) -> None:
    probe(api.address, "")
    assert [path for path, _, _ in api.requests] == ["/openapi.json", "/api/v1/agent/history"]
    assert {authorization for _, authorization, _ in api.requests} == {None}
    api.requests.clear()
    probe(api.address, KEY)
    path, authorization, body = api.requests[-1]
    assert (path, authorization) == ("/send-message", f"Bearer {KEY}")
    assert body["messages"][0]["role"] == "user"


@pytest.mark.parametrize(
    ("path", "status", "body", "message"),
    [
        ("/openapi.json", 500, b"{}", "GET /openapi.json: 500"),
        ("/openapi.json", 200, b"<html>", "GET /openapi.json: 200"),
        ("/openapi.json", 200, b"[]", "GET /openapi.json: 200"),
        ("/api/v1/agent/history", 200, b"{}", "GET /api/v1/agent/history without a credential: 200"),
        ("/api/v1/agent/history", 502, b"bad gateway", "GET /api/v1/agent/history without a credential: 502"),
        ("/send-message", 503, b"{}", "POST /send-message: 503"),
        ("/send-message", 200, b"", "POST /send-message: the stream ended without an end of the run"),
        ("/send-message", 200, b"data: {broken\n\n", "POST /send-message: JSONDecodeError"),
        (
            "/send-message",
            200,
            frames({"type": "RUN_STARTED"}, {"type": "RUN_ERROR", "code": "RUN_LOST"}),
            "POST /send-message: RUN_ERROR RUN_LOST",
        ),
    ],
)
def test_what_is_not_as_it_should_be_fails_and_is_named(
    api: Api, path: str, status: int, body: bytes, message: str
) -> None:
    """The key is not in the error."""
    api.answers[path] = (status, body)
    with pytest.raises(ProbeFailedError) as failed:
        probe(api.address, KEY)
    assert str(failed.value) == message
    assert KEY not in repr(failed.value)


def test_an_address_that_does_not_answer_fails() -> None:
    enable_socket()
    with serving() as gone:
        address = gone.address
    with pytest.raises(ProbeFailedError, match=r"^GET /openapi.json: URLError"):
        probe(address, "")
