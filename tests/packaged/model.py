"""The model behind the emulator's Bedrock: it can be held, so that runs that ask it are active as long as a test wants.

A last message `/call TOOL {…}` is answered with that call, any other with a sentence.
"""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Condition, Thread
from typing import Any

WAIT_SECONDS = 120


class Model:
    """`url` is the base of its chat completions."""

    def __init__(self) -> None:
        self.url = ""
        self._changed = Condition()
        self._held = False
        self._waiting = 0
        self._requests = 0

    @contextmanager
    def held(self) -> Iterator[None]:
        """Requests wait until the block ends."""
        with self._changed:
            self._held = True
        try:
            yield
        finally:
            with self._changed:
                self._held = False
                self._changed.notify_all()

    def wait_for(self, requests: int) -> None:
        with self._changed:
            assert self._changed.wait_for(lambda: self._waiting >= requests, WAIT_SECONDS), self._waiting

    @property
    def requests(self) -> int:
        with self._changed:
            return self._requests

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """The answer to a request for a chat completion, once it may be given."""
        with self._changed:
            self._requests += 1
            self._waiting += 1
            self._changed.notify_all()
            self._changed.wait_for(lambda: not self._held, WAIT_SECONDS)
            self._waiting -= 1
        last = request["messages"][-1]
        if last["role"] == "user" and (call := re.search(r"/call (\w+) (\{[^{}]*\})", _text(last["content"]))):
            function = {"name": call[1], "arguments": call[2]}
            calls = [{"id": "call_1", "type": "function", "function": function}]
            return _completion({"content": None, "tool_calls": calls}, "tool_calls")
        return _completion({"content": "The lines are quiet."}, "stop")


def _text(content: Any) -> str:
    parts = content if isinstance(content, list) else [{"text": content}]
    return " ".join(str(part.get("text", "")) for part in parts)


def _completion(message: dict[str, Any], reason: str) -> dict[str, Any]:
    return {"choices": [{"index": 0, "message": {"role": "assistant", **message}, "finish_reason": reason}]}


@contextmanager
def serving() -> Iterator[Model]:
    model = Model()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            body = json.dumps(model.answer(request)).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names it so
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        model.url = f"http://127.0.0.1:{server.server_port}"
        Thread(target=server.serve_forever, daemon=True).start()
        yield model
        server.shutdown()
