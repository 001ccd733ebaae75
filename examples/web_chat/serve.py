"""Serves the chat, and gives its page a token: `python3 serve.py`, or `python3 serve.py 8000 http://127.0.0.1:3000`.

An application of your own has a server too, which knows who is signed in; here everybody is Alice. The local stack's
`/local/token` is not for pages: a page of any origin could ask it.
"""

import json
import sys
from contextlib import suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.request import Request, urlopen

HERE = Path(__file__).parent
CLIENT = HERE.parents[1] / "clients/js/yarrow.js"
DEFAULTS = ("8000", "http://127.0.0.1:3000")


class Handler(SimpleHTTPRequestHandler):
    """The files of this folder, the client, and the token."""

    def do_GET(self) -> None:
        """Answer what the page asks for."""
        if self.path == "/token":
            self._send("application/json", token())
        elif self.path == "/yarrow.js":
            self._send("text/javascript", CLIENT.read_bytes())
        else:
            super().do_GET()

    def _send(self, kind: str, body: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def token() -> bytes:
    """Return `{"api", "token"}`: where the stack is, and a token of Alice."""
    request = Request(f"{STACK}/local/token", json.dumps({"sub": "alice"}).encode())  # noqa: S310
    with urlopen(request, timeout=10) as response:  # noqa: S310  the address is the developer's own
        return json.dumps({"api": STACK, "token": json.load(response)["token"]}).encode()


if __name__ == "__main__":
    PORT, STACK = (*sys.argv[1:], *DEFAULTS[len(sys.argv) - 1 :])
    with ThreadingHTTPServer(("127.0.0.1", int(PORT)), partial(Handler, directory=str(HERE))) as server:
        print(f"http://127.0.0.1:{server.server_port}", flush=True)  # noqa: T201
        with suppress(KeyboardInterrupt):
            server.serve_forever()
