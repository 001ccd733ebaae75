"""What the emulator posts to the local stack's server."""

import logging
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from local.posting import post


class Receiver(ThreadingHTTPServer):
    """Keeps what it was sent, and by whom."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.received: list[tuple[tuple[str, int], bytes]] = []
        self.url = f"http://127.0.0.1:{self.server_port}"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Receiver

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.received.append((self.client_address, body))
        if self.path == "/closing" and len(self.server.received) == 2:
            self.close_connection = True
            return
        self.send_response(500 if self.path == "/broken" else 200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Tests print nothing."""


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with Receiver() as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def test_posts_share_a_connection(receiver: Receiver, caplog: pytest.LogCaptureFixture) -> None:
    for body in (b"1", b"2", b"3"):
        post(f"{receiver.url}/changes", body, "it is")
    (one, *others), bodies = zip(*receiver.received, strict=True)
    assert set(others) == {one}
    assert bodies == (b"1", b"2", b"3")
    assert not caplog.records


def test_a_post_is_repeated_whose_connection_is_closed(receiver: Receiver, caplog: pytest.LogCaptureFixture) -> None:
    """As it is by a server that had nothing to read for a while."""
    for body in (b"1", b"2"):
        post(f"{receiver.url}/closing", body, "it is")
    assert [body for _, body in receiver.received] == [b"1", b"2", b"2"]
    assert not [record for record in caplog.records if record.name == "local.posting"]


def test_what_is_refused_is_logged_and_not_repeated(receiver: Receiver, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "local.posting"):
        post(f"{receiver.url}/broken", b"1", "2 changes are")
    assert len(receiver.received) == 1
    assert caplog.messages == ["2 changes are rejected with status 500"]


def test_what_nobody_takes_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    with Receiver() as gone:
        pass
    with caplog.at_level(logging.WARNING, "local.posting"):
        post(gone.url, b"1", "the event is")
    assert any(message.startswith("the event is not delivered: ") for message in caplog.messages)
