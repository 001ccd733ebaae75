"""A bad network: a proxy that breaks every stream off, before its first event or in the middle of its second one.

As with API Gateway, the service does not notice: it goes on sending, to nobody.
"""

import json
import socket
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx

TIMEOUT = 20
_NOT_PASSED = frozenset(
    {"connection", "content-length", "host", "transfer-encoding", "accept-encoding", "date", "server"}
)


class DroppingProxy(ThreadingHTTPServer):
    """What stands between a client and `upstream`.

    `answers` are given first, one for each request for events: a status, and the seconds of a Retry-After. None breaks
    the connection off. `cursors` are the Last-Event-IDs of the streams. It asks clients to come back in 10 ms.
    """

    daemon_threads = True

    def __init__(self, upstream: str) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.upstream = upstream
        self.answers: deque[tuple[int, int] | None] = deque()
        self.cursors: list[str | None] = []
        self.url = f"http://127.0.0.1:{self.server_address[1]}"

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that goes away is no error."""


@contextmanager
def dropping(upstream: str) -> Iterator[DroppingProxy]:
    """A proxy that serves until the context ends."""
    with DroppingProxy(upstream) as proxy:
        serving = threading.Thread(target=proxy.serve_forever, kwargs={"poll_interval": 0.02})
        serving.start()
        try:
            yield proxy
        finally:
            proxy.shutdown()
            serving.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: DroppingProxy

    def _pass_on(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        is_stream = self.command == "GET" and "/events" in self.path
        if is_stream and self.server.answers:
            self._refuse(self.server.answers.popleft())
            return
        headers = {name: value for name, value in self.headers.items() if name.lower() not in _NOT_PASSED}
        url = self.server.upstream + self.path
        with httpx.stream(self.command, url, content=body, headers=headers, timeout=TIMEOUT) as response:
            self.send_response(response.status_code)
            for name, value in response.headers.items():
                if name not in _NOT_PASSED:
                    self.send_header(name, value)
            if is_stream and response.status_code == 200:
                self._break_off(response)
            else:
                self._end(response.read())

    do_GET = do_POST = do_OPTIONS = _pass_on  # noqa: N815 (the names of http.server)

    def _refuse(self, answer: tuple[int, int] | None) -> None:
        self.close_connection = True
        if answer is None:
            return
        status, seconds = answer
        self.send_response(status)
        self.send_header("Retry-After", str(seconds))
        self.send_header("Access-Control-Allow-Origin", "*")
        self.send_header("Access-Control-Expose-Headers", "Retry-After")
        self._end(json.dumps({"status": status, "code": "OF_THE_TEST"}).encode())

    def _end(self, body: bytes) -> None:
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _break_off(self, response: httpx.Response) -> None:
        """Pass on no event or one, in turns, and a part of the next; the last one is the end of the stream."""
        self.server.cursors.append(self.headers.get("Last-Event-ID"))
        left = len(self.server.cursors) % 2
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        self._chunk(b"retry: 10\n\n")
        self.close_connection = True
        rest = b""
        for chunk in response.iter_raw():
            *frames, rest = (rest + chunk).split(b"\n\n")
            for frame in frames if left >= 0 else ():
                self._chunk(frame + b"\n\n" if left else frame[: len(frame) // 2])
                left -= 1
                if left < 0:
                    self.connection.shutdown(socket.SHUT_RDWR)
                    break
        if left >= 0:
            self.wfile.write(b"0\r\n\r\n")

    def _chunk(self, data: bytes) -> None:
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        self.wfile.flush()

    def log_message(self, *_: object) -> None:
        """Say nothing."""
