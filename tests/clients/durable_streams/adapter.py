"""A Durable Streams server in front of the local stack, with the write side that the product does not have.

The conformance suite makes its own streams: PUT submits a run of the agent `scenes`, POST has it say a piece, and
`Stream-Closed` lets it end. What is read comes from the stack with its status and headers; only the messages are
unpacked from the run's events, and shown in the media type that the suite gave the stream.
"""

import asyncio
import base64
import contextlib
import json
import socket
import threading
import uuid
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

import httpx
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from tests.support.stack.runs import body as body_of

OPEN_STREAMS: Final = 6
"""Older ones are ended: each is a run."""
WAIT_SECONDS: Final = 10
POLL_SECONDS: Final = 0.04
JSON: Final = "application/json"
OFFSET, CLOSED, TTL = "stream-next-offset", "stream-closed", "stream-ttl"
_DATA: Final = b"event: data\ndata:"
_PASSED: Final = frozenset(
    {OFFSET, CLOSED, "stream-up-to-date", "stream-cursor", "etag", "cache-control", "vary"}
    | {"x-content-type-options", "cross-origin-resource-policy", "access-control-allow-headers"}
)


@dataclass
class Stream:
    name: str
    media_type: str
    ttl: str | None
    headers: dict[str, str]
    thread: str = field(default_factory=lambda: str(uuid.uuid4()))
    runner: "asyncio.Future[asyncio.StreamWriter]" = field(default_factory=asyncio.Future)
    appending: asyncio.Lock = field(default_factory=asyncio.Lock)
    is_closed: bool = False

    @property
    def path(self) -> str:
        return f"/api/v1/agent/runs/{self.thread}/stream"

    @property
    def is_text(self) -> bool:
        return self.media_type.startswith("text/")


class Adapter:
    """The streams by their paths, and the stack behind them."""

    def __init__(self, upstream: str) -> None:
        self._http = httpx.AsyncClient(base_url=upstream, timeout=60)
        self._streams: dict[str, Stream] = {}
        self._port = 0

    @property
    def app(self) -> Starlette:
        route = Route("/{path:path}", self._answer, methods=["GET", "HEAD", "PUT", "POST", "DELETE", "OPTIONS"])
        return Starlette(routes=[route])

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[None]:
        """For the runs, which ask what to say; those that go on end with the context."""
        async with self._http, await asyncio.start_server(self._dictate, "127.0.0.1", 0) as server:
            self._port = server.sockets[0].getsockname()[1]
            yield
            for stream in self._streams.values():
                if stream.runner.done():
                    stream.runner.result().close()
                    with contextlib.suppress(ConnectionError):
                        await stream.runner.result().wait_closed()

    async def _dictate(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        name = (await reader.readline()).decode().strip()
        (stream,) = (stream for stream in self._streams.values() if stream.thread == name)
        stream.runner.set_result(writer)

    async def _answer(self, request: Request) -> Response:
        stream = self._streams.get(request.url.path)
        match request.method:
            case "OPTIONS":
                return await self._preflight(request)
            case "PUT":
                return await self._create(request, stream)
            case _ if stream is None:
                return await self._unknown(request)
            case "POST":
                return await self._append(request, stream)
            case "DELETE":
                await self._close(stream)
                del self._streams[request.url.path]
                return Response(status_code=204)
            case _ if request.query_params.get("live") == "sse":
                return await self._watch(request, stream)
        return await self._read(request, stream)

    async def _preflight(self, request: Request) -> Response:
        path = f"/api/v1/agent/runs/{uuid.uuid4()}/stream"
        names = ("origin", "access-control-request-method", "access-control-request-headers")
        headers = {name: value for name in names if (value := request.headers.get(name))}
        answer = await self._http.options(path, headers=headers)
        return Response(status_code=answer.status_code, headers=_passed(answer.headers))

    async def _unknown(self, request: Request) -> Response:
        """As the product answers for a run that is not there."""
        headers = await self._sign_in()
        path = f"/api/v1/agent/runs/{uuid.uuid4()}/stream"
        answer = await self._http.get(path, params={"runId": "run", **request.query_params}, headers=headers)
        return Response(answer.content, answer.status_code, headers=_passed(answer.headers))

    async def _sign_in(self) -> dict[str, str]:
        answer = await self._http.post("/local/token", json={"sub": str(uuid.uuid4())})
        return {"Authorization": f"Bearer {answer.json()['token']}"}

    async def _create(self, request: Request, stream: Stream | None) -> Response:
        created = stream is None
        body = await request.body()
        media_type = request.headers.get("content-type", "application/octet-stream").partition(";")[0].strip().lower()
        if stream is None:
            await self._make_room()
            stream = Stream(request.url.path, media_type, request.headers.get("stream-ttl"), await self._sign_in())
            self._streams[request.url.path] = stream
            run = body_of(stream.thread, "run", f"dictated {self._port} {stream.thread}")
            submitted = await self._http.post("/api/v1/agent/runs?agent=scenes", json=run, headers=stream.headers)
            assert submitted.status_code == 202, submitted.text
            await self._began(stream)
            await self._say(stream, _messages(stream, body) if body else [])
        if request.headers.get(CLOSED) == "true":
            await self._close(stream)
        headers = {**await self._place(stream), "Location": str(request.url), "Content-Type": stream.media_type}
        return Response(status_code=201 if created else 200, headers=headers)

    async def _began(self, stream: Stream) -> None:
        """Until the run has told all that it tells before a message."""
        async with asyncio.timeout(WAIT_SECONDS):
            events: list[dict[str, Any]] = []
            while "STEP_STARTED" not in {event["type"] for event in events}:
                await asyncio.sleep(POLL_SECONDS)
                events = (await self._http.get(stream.path, params={"runId": "run"}, headers=stream.headers)).json()

    async def _make_room(self) -> None:
        alive = [stream for stream in self._streams.values() if not stream.is_closed]
        for stream in alive[: max(0, len(alive) - OPEN_STREAMS + 1)]:
            await self._close(stream)

    async def _append(self, request: Request, stream: Stream) -> Response:
        body = await request.body()
        closing = request.headers.get(CLOSED) == "true"
        try:
            messages = _messages(stream, body) if body else []
        except ValueError:
            return Response(status_code=400)
        if not messages and not closing:
            return Response(status_code=400)
        if messages and stream.is_closed:
            return Response(status_code=409, headers=await self._place(stream))
        await self._say(stream, messages)
        if closing:
            await self._close(stream)
        return Response(status_code=204, headers=await self._place(stream))

    async def _say(self, stream: Stream, messages: list[Any]) -> None:
        """Until the stack has stored all of it."""
        if not messages:
            return
        async with stream.appending:
            at = (await self._place(stream))[OFFSET]
            writer = await asyncio.wait_for(asyncio.shield(stream.runner), WAIT_SECONDS)
            for message in messages:
                writer.write(json.dumps(message).encode() + b"\n")
            await writer.drain()
            left = len(messages)
            async with asyncio.timeout(WAIT_SECONDS):
                while left > 0:
                    await asyncio.sleep(POLL_SECONDS)
                    params = {"runId": "run", "offset": at}
                    answer = await self._http.get(stream.path, params=params, headers=stream.headers)
                    at = answer.headers[OFFSET]
                    left -= len(_said(answer.json()))

    async def _close(self, stream: Stream) -> None:
        """Until the run has ended."""
        if stream.is_closed:
            return
        stream.is_closed = True
        (await asyncio.wait_for(asyncio.shield(stream.runner), WAIT_SECONDS)).close()
        async with asyncio.timeout(WAIT_SECONDS):
            place = await self._place(stream)
            while CLOSED not in place:
                await asyncio.sleep(POLL_SECONDS)
                place = await self._place(stream)

    async def _place(self, stream: Stream) -> dict[str, str]:
        answer = await self._http.head(stream.path, params={"runId": "run"}, headers=stream.headers)
        assert answer.status_code == 200, answer.status_code
        return _passed(answer.headers)

    async def _read(self, request: Request, stream: Stream) -> Response:
        """A chunk, a long poll, or HEAD: asked again where all events are the run's own."""
        headers = dict(stream.headers)
        if known := request.headers.get("if-none-match"):
            headers["If-None-Match"] = known
        params = httpx.QueryParams([("runId", "run"), *request.query_params.multi_items()])
        while True:
            answer = await self._http.request(request.method, stream.path, params=params, headers=headers)
            messages = _said(answer.json()) if answer.status_code == 200 and answer.content else []
            waits = request.query_params.get("live") == "long-poll" and answer.status_code == 200 and not messages
            if not waits or CLOSED in answer.headers:
                break
            params = params.set("offset", answer.headers[OFFSET])
        passed = _passed(answer.headers)
        if answer.status_code != 200:
            return Response(answer.content, answer.status_code, headers=passed)
        passed["Content-Type"] = stream.media_type
        if request.method == "HEAD":
            return Response(headers=passed | ({"Stream-TTL": stream.ttl} if stream.ttl else {}))
        if waits:
            return Response(status_code=204, headers=passed)
        return Response(_shown(stream, messages), headers=passed)

    async def _watch(self, request: Request, stream: Stream) -> Response:
        params = httpx.QueryParams([("runId", "run"), *request.query_params.multi_items()])
        question = self._http.build_request("GET", stream.path, params=params, headers=stream.headers)
        answer = await self._http.send(question, stream=True)
        passed = _passed(answer.headers)
        if answer.status_code != 200:
            return Response(await answer.aread(), answer.status_code, headers=passed)
        passed["Content-Type"] = answer.headers["content-type"]
        if not stream.is_text and stream.media_type != JSON:
            passed["stream-sse-data-encoding"] = "base64"
        return StreamingResponse(_frames(stream, answer), headers=passed)


async def _frames(stream: Stream, answer: httpx.Response) -> AsyncGenerator[bytes]:
    """Yield the stack's frames with only the messages of the suite."""
    rest = b""
    try:
        async for chunk in answer.aiter_raw():
            *frames, rest = (rest + chunk).split(b"\n\n")
            # Together as they came: the suite looks for words of the second frame in the first.
            if shown := b"".join(_shown_frame(stream, frame) for frame in frames):
                yield shown
    finally:
        await answer.aclose()


def _shown_frame(stream: Stream, frame: bytes) -> bytes:
    if not frame.startswith(_DATA):
        return frame + b"\n\n"
    messages = _said(json.loads(frame.removeprefix(_DATA)))
    if not messages:
        return b""
    shown = _shown(stream, messages)
    if stream.is_text:
        lines = shown.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
    else:
        lines = [shown if stream.media_type == JSON else base64.b64encode(shown)]
    return b"event: data\n" + b"".join(b"data:" + line + b"\n" for line in lines) + b"\n"


def _messages(stream: Stream, body: bytes) -> list[Any]:
    """Return the messages that a body appends. Raises ValueError."""
    if stream.media_type != JSON:
        return [base64.b64encode(body).decode()]
    value = json.loads(body)
    return value if isinstance(value, list) else [value]


def _said(events: list[dict[str, Any]]) -> list[Any]:
    """Return the messages in a run's events."""
    return [json.loads(event["delta"]) for event in events if event["type"] == "TEXT_MESSAGE_CONTENT"]


def _shown(stream: Stream, messages: list[Any]) -> bytes:
    if stream.media_type == JSON:
        return json.dumps(messages).encode() if messages else b"[]"
    return b"".join(base64.b64decode(message) for message in messages)


def _passed(headers: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in headers.items() if name.lower() in _PASSED}


@contextmanager
def adapted(upstream: str) -> Iterator[str]:
    """The base URL of an adapter, until the context ends."""
    adapter = Adapter(upstream)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = uvicorn.Server(uvicorn.Config(adapter.app, log_level="warning", lifespan="off"))

        async def serve() -> None:
            async with adapter.listening():
                await server.serve([listener])

        serving = threading.Thread(target=asyncio.run, args=(serve(),))
        serving.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = server.force_exit = True
            serving.join()
