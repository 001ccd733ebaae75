"""Adapts a WSGI app to ASGI, one request at a time on the event loop; threads would wait for one another anyway."""

import io
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

if TYPE_CHECKING:
    from wsgiref.types import WSGIApplication, WSGIEnvironment


def as_asgi(app: "WSGIApplication", before_answer: Callable[[], None] = lambda: None) -> ASGIApp:
    """Wrap a WSGI app; bodies are not streamed, and `before_answer` is called before a response is sent."""

    async def asgi(scope: Scope, receive: Receive, send: Send) -> None:
        body = await Request(scope, receive).body()
        status, headers = 0, list[tuple[str, str]]()

        def start_response(line: str, response_headers: list[tuple[str, str]], _: Any = None) -> Any:
            nonlocal status, headers
            status, headers = int(line.partition(" ")[0]), response_headers

        chunks = app(_environ(scope, body), start_response)
        try:
            response = Response(b"".join(chunks), status)
        finally:
            if close := getattr(chunks, "close", None):
                close()
        before_answer()
        encoded = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]
        replaced = {name for name, _ in encoded}
        response.raw_headers[:] = encoded + [header for header in response.raw_headers if header[0] not in replaced]
        await response(scope, receive, send)

    return asgi


def _environ(scope: Scope, body: bytes) -> "WSGIEnvironment":
    """Return PEP 3333's environment and `RAW_URI`, from which moto takes escaped keys."""
    query = scope["query_string"].decode("latin-1")
    raw_path = scope["raw_path"].decode("latin-1")
    (host, port), (client, _) = scope["server"], scope["client"]
    environ: WSGIEnvironment = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": scope["path"].encode().decode("latin-1"),
        "QUERY_STRING": query,
        "RAW_URI": f"{raw_path}?{query}" if query else raw_path,
        "SERVER_NAME": host,
        "SERVER_PORT": str(port),
        "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": client,
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.input": io.BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": False,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }
    for raw_name, value in scope["headers"]:
        name = raw_name.decode("latin-1").upper().replace("-", "_")
        name = name if name in {"CONTENT_TYPE", "CONTENT_LENGTH"} else f"HTTP_{name}"
        text = value.decode("latin-1")
        environ[name] = f"{environ[name]},{text}" if name in environ else text
    return environ | {"CONTENT_LENGTH": str(len(body))}
