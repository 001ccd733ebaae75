"""A receiver of webhooks that is a server of this machine."""

import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

SECONDS: Final = 60.0


class Receiver:
    """A server that keeps what it gets, and answers with `status`."""

    def __init__(self) -> None:
        self.requests: list[tuple[dict[str, str], bytes]] = []
        self.status = 204
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                receiver.requests.append(({name.lower(): value for name, value in self.headers.items()}, body))
                self.send_response(receiver.status)
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __enter__(self) -> "Receiver":
        return self

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.server.server_close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.server_port}/hooks"

    def wait(self, count: int) -> list[tuple[dict[str, str], bytes]]:
        until(lambda: len(self.requests) >= count or None, f"{count} requests")
        return self.requests


def until(found: Callable[[], Any], what: str) -> Any:
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        if (value := found()) is not None:
            return value
        time.sleep(0.05)
    raise AssertionError(f"{what} did not come")
