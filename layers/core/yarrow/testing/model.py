"""A model on loopback with OpenAI's chat completions, whole or streamed. It has no key and no model of its own.

Source: the public reference of that API; the members here are those that its clients require.
"""

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from typing import Any, Final

_PATH: Final = "/v1/chat/completions"
_TOKENS: Final = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a tool, as an answer of the model."""

    name: str
    arguments: dict[str, Any]


def call(name: str, /, **arguments: Any) -> Call:
    """Return the answer that calls a tool."""
    return Call(name, arguments)


class FakeModel:
    """The model; its `url` goes into OPENAI_BASE_URL. `requests` has the bodies that it got, in order."""

    def __init__(self, answers: Iterable[str | Call]) -> None:
        self._answers = [*answers] or [""]
        self._turn = Lock()
        self.requests: list[dict[str, Any]] = []
        self.url = ""

    def next(self, request: dict[str, Any]) -> str | Call:
        """Note a request and return its answer; the last one is given again and again."""
        with self._turn:
            self.requests.append(request)
            return self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]


@contextmanager
def fake_model(*answers: str | Call) -> Iterator[FakeModel]:
    """Serve a model that gives these answers in turn: a text, or the `call` of a tool."""
    with served(FakeModel(answers)) as model:
        yield model


@contextmanager
def served(model: FakeModel) -> Iterator[FakeModel]:
    """Serve a model on loopback, and set its `url`."""
    server = _Server(("127.0.0.1", 0), _Handler)
    server.model = model
    model.url = f"http://127.0.0.1:{server.server_port}/v1"
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield model
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False  # a client may keep its connection
    model: FakeModel


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.path != _PATH:
            message = f"the fake model has {_PATH} alone, not {self.path}"
            self._send(HTTPStatus.NOT_FOUND, "application/json", json.dumps({"error": {"message": message}}))
            return
        request = json.loads(body)
        answer = self.server.model.next(request)
        name, number = str(request.get("model")), len(self.server.model.requests)
        if request.get("stream"):
            self._send(HTTPStatus.OK, "text/event-stream", _stream(answer, name, number))
        else:
            self._send(HTTPStatus.OK, "application/json", json.dumps(_whole(answer, name, number)))

    def _send(self, status: HTTPStatus, kind: str, text: str) -> None:
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 (the base's signature)
        """Say nothing."""


def _whole(answer: str | Call, model: str, number: int) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": answer}
    if isinstance(answer, Call):
        message = {"role": "assistant", "content": None, "tool_calls": [_tool_call(answer, number)]}
    choice = {"index": 0, "message": message, "finish_reason": _reason(answer)}
    return {**_envelope("chat.completion", model, number), "choices": [choice], "usage": _TOKENS}


def _stream(answer: str | Call, model: str, number: int) -> str:
    if isinstance(answer, Call):
        deltas: list[dict[str, Any]] = [{"tool_calls": [{"index": 0, **_tool_call(answer, number)}]}]
    else:
        deltas = [{"content": piece} for piece in _pieces(answer)]
    chunks: list[dict[str, Any]] = [
        {"index": 0, "delta": {"role": "assistant", **delta}, "finish_reason": None} for delta in deltas
    ]
    chunks.append({"index": 0, "delta": {}, "finish_reason": _reason(answer)})
    envelope = _envelope("chat.completion.chunk", model, number)
    documents = [{**envelope, "choices": [chunk]} for chunk in chunks]
    documents.append({**envelope, "choices": [], "usage": _TOKENS})
    return "".join(f"data: {json.dumps(document)}\n\n" for document in documents) + "data: [DONE]\n\n"


def _pieces(text: str) -> list[str]:
    """Return the words of a text, each with the space before it."""
    first, *others = text.split(" ")
    return [first, *(f" {word}" for word in others)]


def _tool_call(answer: Call, number: int) -> dict[str, Any]:
    function = {"name": answer.name, "arguments": json.dumps(answer.arguments)}
    return {"id": f"call_{number}", "type": "function", "function": function}


def _reason(answer: str | Call) -> str:
    return "tool_calls" if isinstance(answer, Call) else "stop"


def _envelope(kind: str, model: str, number: int) -> dict[str, Any]:
    return {"id": f"chatcmpl-{number}", "object": kind, "created": 1, "model": model}
