"""A proxy on loopback that adds a credential to each request, for clients that send none; it changes nothing else."""

import re
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from socketserver import StreamRequestHandler, ThreadingTCPServer
from typing import Final
from urllib.parse import urlsplit

_LENGTH: Final = re.compile(rb"^content-length: *(\d+)", re.IGNORECASE | re.MULTILINE)


@contextmanager
def adding(token: str, upstream: str) -> Iterator[str]:
    """Yield the proxy's URL. It ends each connection with its response."""
    address = urlsplit(upstream)

    class Relay(StreamRequestHandler):
        def handle(self) -> None:
            with suppress(ConnectionError):
                self._relay()

        def _relay(self) -> None:
            lines = []
            while (line := self.rfile.readline()).strip():
                if not line.lower().startswith(b"connection:"):
                    lines.append(line)
            if not lines:
                return
            lines += [f"Authorization: Bearer {token}\r\n".encode(), b"Connection: close\r\n\r\n"]
            head = b"".join(lines)
            length = _LENGTH.search(head)
            body = self.rfile.read(int(length[1])) if length else b""
            with socket.create_connection((address.hostname or "", address.port or 80)) as server:
                server.sendall(head + body)
                while piece := server.recv(65_536):
                    self.wfile.write(piece)

    class Proxy(ThreadingTCPServer):
        allow_reuse_address = True
        daemon_threads = True

    with Proxy(("127.0.0.1", 0), Relay) as proxy:
        thread = threading.Thread(target=proxy.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield f"http://127.0.0.1:{proxy.server_address[1]}"
        finally:
            proxy.shutdown()
            thread.join()
