"""A fake model provider: answers from a queue, and records requests and disconnects."""

import json
import socket
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any


@dataclass(frozen=True)
class Answer:
    """What is sent, piece by piece; then the body ends, is `cut` off, or, `silent`, nothing more comes."""

    pieces: tuple[bytes, ...] = ()
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    then: str = "end"
    pause: float = 0
    """Seconds before each piece."""


@dataclass
class ModelServer:
    """The server; `requests` are paths and JSON bodies. The last answer is given again and again."""

    address: str = ""
    answers: deque[Answer] = field(default_factory=deque)
    requests: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    left: Event = field(default_factory=Event)
    """The client closed the connection while the server was silent or had more to say."""
    patience: float = 20
    """Seconds of silence after which the server closes it."""

    def will(self, *answers: Answer) -> None:
        self.answers.extend(answers)

    @property
    def last_body(self) -> dict[str, Any]:
        """The latest body."""
        return self.requests[-1][1]


@contextmanager
def serving() -> Iterator[ModelServer]:
    model = ModelServer()
    silent: list[socket.socket] = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            model.requests.append((self.path, json.loads(body)))
            answer = model.answers.popleft() if len(model.answers) > 1 else model.answers[0]
            self.send_response(answer.status)
            for name, value in (*answer.headers, ("Transfer-Encoding", "chunked")):
                self.send_header(name, value)
            self.end_headers()
            try:
                for piece in answer.pieces:
                    time.sleep(answer.pause)
                    self.wfile.write(b"%x\r\n%b\r\n" % (len(piece), piece))
            except ConnectionError:
                self.close_connection = True
                model.left.set()
                return
            if answer.then == "silent":
                self._wait()
            if answer.then == "end":
                self.wfile.write(b"0\r\n\r\n")
            else:
                self.close_connection = True

        def _wait(self) -> None:
            silent.append(self.connection)
            self.connection.settimeout(model.patience)
            with suppress(TimeoutError):
                with suppress(ConnectionError):
                    self.connection.recv(1)
                model.left.set()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names it so
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    model.address = f"http://127.0.0.1:{server.server_port}"
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield model
    finally:
        for connection in silent:  # a client's thread may still wait for what it was cancelled for
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        server.shutdown()
        thread.join()
        server.socket.close()
