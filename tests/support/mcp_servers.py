"""MCP servers on loopback: of the newest revision, of an older one, and hostile ones."""

import asyncio
import json
import socket
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from tests.support.functions.emulated_aws import served
from tests.support.small_pictures import image, png

PNG = png()
Reply = Callable[[dict[str, Any], Request], Awaitable[Response]]

SERVER = {"name": "old", "version": "1.0"}
TOOLS: list[dict[str, Any]] = [
    {
        "name": "add",
        "description": "Add two numbers.",
        "inputSchema": {
            "type": "object",
            "properties": {"a": {"type": "integer"}, "b": {"type": "integer", "x-mcp-header": "Second"}},
            "required": ["a", "b"],
        },
    },
    {"name": "say.hello", "description": "Greet.", "inputSchema": {"type": "object"}},
    {"name": "fail", "description": "Fail.", "inputSchema": {"type": "object"}},
]


BOOK: dict[str, Any] = {"name": "book", "description": "Book a seat.", "inputSchema": {"type": "object"}}
PHOTO: dict[str, Any] = {"name": "photo", "description": "Take a photo.", "inputSchema": {"type": "object"}}
WAIT: dict[str, Any] = {"name": "wait", "description": "Wait at the gate.", "inputSchema": {"type": "object"}}
SEAT = {"type": "object", "properties": {"seat": {"type": "string", "enum": ["window", "aisle"]}}, "required": ["seat"]}


def booked(params: dict[str, Any]) -> dict[str, Any]:
    """A tool that asks for a seat, then whether to pay; its state says which it has asked."""
    given, state = params.get("inputResponses", {}), params.get("requestState")
    if state is None:
        return asks("seat", "Which seat?", SEAT, "asked for the seat")
    if state == "asked for the seat" and given["seat"]["action"] == "accept":
        return asks("pay", "Pay now?", {"type": "object", "properties": {}}, given["seat"]["content"]["seat"])
    paid = given.get("pay", {}).get("action") == "accept"
    return {"content": [{"type": "text", "text": f"{state}, paid" if paid else "nothing was booked"}]}


def asks(key: str, message: str, schema: dict[str, Any], state: str) -> dict[str, Any]:
    request = {
        "method": "elicitation/create",
        "params": {"mode": "form", "message": message, "requestedSchema": schema},
    }
    return {"resultType": "input_required", "inputRequests": {key: request}, "requestState": state}


def answer_of(params: dict[str, Any]) -> dict[str, Any]:
    match params["name"]:
        case "book":
            return booked(params)
        case "photo":
            return {"content": [{"type": "text", "text": "Here it is:"}, image(PNG)], "structuredContent": {"width": 2}}
        case "add":
            total = params["arguments"]["a"] + params["arguments"]["b"]
            return {"content": [{"type": "text", "text": str(total)}], "structuredContent": {"sum": total}}
        case "fail":
            return {"content": [{"type": "text", "text": "it is broken"}], "isError": True}
    return {"content": [{"type": "text", "text": "hello"}, {"type": "image", "data": "aaaa", "mimeType": "image/png"}]}


class McpServerFake:
    """Keeps what it was sent. A `legacy` one has sessions, `streams` its answers as server-sent events if it may."""

    def __init__(self, *, legacy: bool = False, streams: bool = False) -> None:
        self.legacy = legacy
        self.streams = streams
        self.messages: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.session = 0
        self.tools = [dict(tool) for tool in TOOLS]
        self.reply: Reply | None = None
        """Answers in place of the server, if there is one."""
        self.gate = threading.Event()
        """Where calls of `wait` wait."""
        self.came = threading.Event()
        """Whether one has come there."""
        self.paths: list[str] = []
        """Of all requests, also of those that are no messages."""
        self.app = Starlette(
            routes=[Route("/mcp", self.take, methods=["POST"]), Route("/{path:path}", self._find, methods=["GET"])]
        )

    @property
    def methods(self) -> list[str]:
        return [message["method"] for message in self.messages]

    async def _find(self, request: Request) -> Response:
        self.paths.append(request.url.path)
        return JSONResponse({})

    async def take(self, request: Request) -> Response:
        self.paths.append(request.url.path)
        message = json.loads(await request.body())
        self.messages.append(message)
        self.headers.append(dict(request.headers))
        if message["method"] == "tools/call" and message["params"]["name"] == "wait":
            self.came.set()
            await asyncio.to_thread(self.gate.wait, 30)
        if self.reply is not None:
            return await self.reply(message, request)
        return self._legacy(message, request) if self.legacy else self._modern(message, request)

    def _modern(self, message: dict[str, Any], request: Request) -> Response:
        params = message["params"]
        if request.headers.get("mcp-method") != message["method"]:
            return error(message, -32020, "the headers do not match the body", 400)
        if params["_meta"]["io.modelcontextprotocol/protocolVersion"] != "2026-07-28":
            return error(message, -32022, "unsupported", 400)
        match message["method"]:
            case "server/discover":
                return self.result(message, {"supportedVersions": ["2026-07-28"], "capabilities": {}})
            case "tools/list":
                return self.result(message, {"tools": self.tools})
            case "tools/call":
                return self.result(message, answer_of(params))
        return error(message, -32601, "unknown method", 404)

    def _legacy(self, message: dict[str, Any], request: Request) -> Response:
        if message["method"] == "initialize":
            self.session += 1
            answer = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": SERVER}
            return self.result(message, answer, {"Mcp-Session-Id": f"session-{self.session}"})
        if request.headers.get("mcp-session-id") != f"session-{self.session}":
            return Response(status_code=404 if "mcp-session-id" in request.headers else 400)
        match message["method"]:
            case "notifications/initialized":
                return Response(status_code=202)
            case "tools/list":
                first = message.get("params", {}).get("cursor") is None
                page = {"tools": self.tools[:2], "nextCursor": "2"} if first else {"tools": self.tools[2:]}
                return self.result(message, page)
            case "tools/call":
                return self.result(message, answer_of(message["params"]))
        return error(message, -32601, "unknown method", 200)

    def notes(self, message: dict[str, Any]) -> list[dict[str, Any]]:
        """What comes before an answer: progress of another request, and of this one for whoever asks for it."""
        token = message.get("params", {}).get("_meta", {}).get("progressToken")
        told = [{"progressToken": "another", "progress": 1}]
        if token is not None:
            told += [{"progressToken": token, "progress": 1, "total": 2, "message": "Half of it"}]
        return [{"jsonrpc": "2.0", "method": "notifications/progress", "params": params} for params in told]

    def result(
        self, message: dict[str, Any], result: dict[str, Any], headers: dict[str, str] | None = None
    ) -> Response:
        document = {"jsonrpc": "2.0", "id": message["id"], "result": result}
        if not self.streams:
            return JSONResponse(document, headers=headers)
        frames = [
            ": hello\n\n",
            *(f"event: message\ndata: {json.dumps(one)}\n\n" for one in (*self.notes(message), document)),
        ]
        return StreamingResponse(iterated(frames), media_type="text/event-stream", headers=headers)


async def iterated(frames: list[str]) -> Any:
    for frame in frames:
        yield frame
        await asyncio.sleep(0)


def error(message: dict[str, Any], code: int, text: str, status: int) -> Response:
    return JSONResponse({"jsonrpc": "2.0", "id": message.get("id"), "error": {"code": code, "message": text}}, status)


@contextmanager
def listening(server: McpServerFake) -> Iterator[str]:
    """The address of a server."""
    with socket.create_server(("127.0.0.1", 0)) as listener, served(server.app, listener):
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/mcp"
