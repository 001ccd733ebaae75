"""A server of OpenAI's chat completions on loopback, for one run of a runner in the worker's process (AGT-05).

Frameworks that take nothing but an address and a key ask the deployment's models by it. It has a thread of its own, so
that a framework may block the runner's, a random port and key, and ends with the run.
"""

import asyncio
import hmac
import json
import secrets
import threading
from collections.abc import AsyncGenerator, AsyncIterator
from concurrent.futures import Future
from contextlib import aclosing, asynccontextmanager, suppress
from contextvars import copy_context
from typing import Any, Final, NamedTuple

import h11

from yarrow.adapters.openai_chat import wire
from yarrow.adapters.openai_chat.requests import answer
from yarrow.adapters.openai_chat.wire import Completion, RefusedError
from yarrow.protocol.runner.api import AgentAPIException, ModelChunk
from yarrow.protocol.runner.proxy import AgentRunAPIProxy

MAX_BODY_BYTES: Final = 16 * 1024 * 1024
"""Bytes of a request: pictures that the run has read are sent to the host by their ids."""
MAX_CONNECTIONS: Final = 64
REQUEST_SECONDS: Final = 60.0
"""For the whole of a request to arrive, and for the next one on a connection."""
CLOSING_SECONDS: Final = 2.0

_READ_BYTES: Final = 64 * 1024
_PATH: Final = "/v1/chat/completions"


class Endpoint(NamedTuple):
    """What an OpenAI client takes: `base_url` ends in `/v1`, `key` is its API key."""

    base_url: str
    key: str


@asynccontextmanager
async def openai_endpoint(api: AgentRunAPIProxy) -> AsyncIterator[Endpoint]:
    """Serve the models of a run until the context ends; requests under way are closed then."""
    server = _Server(api)
    threading.Thread(target=copy_context().run, args=(server.run,), name="openai-endpoint", daemon=True).start()
    try:
        port = await asyncio.wrap_future(server.port)
        yield Endpoint(f"http://127.0.0.1:{port}/v1", server.key)
    finally:
        server.stop()
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSING_SECONDS):
                await asyncio.wrap_future(server.ended)


class _Server:
    def __init__(self, api: AgentRunAPIProxy) -> None:
        self.key = f"sk-run-{secrets.token_urlsafe(32)}"
        self.port: Future[int] = Future()
        self.ended: Future[None] = Future()
        self._api = api
        self._loop = asyncio.new_event_loop()
        self._stopping = asyncio.Event()
        self._connections: set[asyncio.Task[Any]] = set()

    def run(self) -> None:
        """Serve, in the thread, until it is stopped."""
        try:
            with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
                runner.run(self._serve())
        except Exception as error:  # noqa: BLE001 - whoever waits for the port gets it
            if not self.port.done():
                self.port.set_exception(error)
        finally:
            self.ended.set_result(None)

    def stop(self) -> None:
        with suppress(RuntimeError):  # it has ended
            self._loop.call_soon_threadsafe(self._stopping.set)

    async def _serve(self) -> None:
        async with await asyncio.start_server(self._connected, "127.0.0.1", 0) as server:
            self.port.set_result(server.sockets[0].getsockname()[1])
            await self._stopping.wait()
            server.close()
            for connection in self._connections:
                connection.cancel()
            await asyncio.gather(*self._connections, return_exceptions=True)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is None or self._stopping.is_set() or len(self._connections) >= MAX_CONNECTIONS:
            writer.close()
            return
        self._connections.add(task)
        try:
            with suppress(ConnectionError, TimeoutError, h11.ProtocolError):
                await _Connection(self._api, self.key, reader, writer).serve()
        finally:
            self._connections.discard(task)
            writer.close()


class _Connection:
    """Requests on one connection, one after the other."""

    def __init__(
        self, api: AgentRunAPIProxy, key: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self._api = api
        self._key = key
        self._reader = reader
        self._writer = writer
        self._http = h11.Connection(h11.SERVER)

    async def serve(self) -> None:
        while True:
            async with asyncio.timeout(REQUEST_SECONDS):
                request = await self._event()
                if not isinstance(request, h11.Request):
                    return
                body = await self._body()
            await self._unless_left(self._answer(request, body))
            if self._http.our_state is not h11.DONE or self._http.their_state is not h11.DONE:
                return
            self._http.start_next_cycle()

    async def _event(self) -> Any:
        while (event := self._http.next_event()) is h11.NEED_DATA:
            self._http.receive_data(await self._reader.read(_READ_BYTES))
        return event

    async def _body(self) -> bytes | None:
        """Return the body; None for one that is too large, which is read to its end but not kept."""
        parts: list[bytes] = []
        size = 0
        while isinstance(event := await self._event(), h11.Data):
            size += len(event.data)
            if size > MAX_BODY_BYTES:
                parts.clear()
            else:
                parts.append(bytes(event.data))
        return b"".join(parts) if size <= MAX_BODY_BYTES else None

    async def _unless_left(self, answering: Any) -> None:
        """Answer; a client that leaves meanwhile ends it, and with it the request to the model."""
        task = asyncio.ensure_future(answering)
        leaving = asyncio.ensure_future(self._reader.read(_READ_BYTES))
        try:
            await asyncio.wait({task, leaving}, return_when=asyncio.FIRST_COMPLETED)
            if task.done():
                await task
            elif early := leaving.result():
                self._http.receive_data(early)
                await task
            else:
                raise ConnectionResetError
        finally:
            for one in (task, leaving):
                one.cancel()
            await asyncio.gather(task, leaving, return_exceptions=True)

    async def _answer(self, request: h11.Request, body: bytes | None) -> None:
        try:
            self._check(request)
            await self._complete(_json(body))
        except AgentAPIException as error:
            await self._refuse(wire.refused(error))
        except RefusedError as error:
            await self._refuse(error)

    def _check(self, request: h11.Request) -> None:
        headers = dict(request.headers)
        if not hmac.compare_digest(headers.get(b"authorization", b""), f"Bearer {self._key}".encode()):
            raise RefusedError(401, "the key is not this run's", code="invalid_api_key")
        path = request.target.decode("ascii", "replace").partition("?")[0]
        if path != _PATH:
            raise RefusedError(404, f"there is only {_PATH}")
        if request.method != b"POST":
            raise RefusedError(405, f"{_PATH} takes POST")

    async def _complete(self, body: Any) -> None:
        request = wire.request_of(body, self._api.artifacts)
        completion, options = Completion(request["model_id"]), body.get("stream_options") or {}
        async with aclosing(answer(self._api, **request)) as chunks:
            if body.get("stream"):
                await self._stream(chunks, completion, with_usage=options.get("include_usage") is True)
                return
            async for chunk in chunks:
                if chunk.reply is not None:
                    await self._send(200, "application/json", completion.whole(chunk.reply))

    async def _stream(self, chunks: AsyncGenerator[ModelChunk], completion: Completion, *, with_usage: bool) -> None:
        """Send the answer as it comes. What fails before it begins is refused; later, an error is its last event."""
        has_begun = False
        try:
            async for chunk in chunks:
                if not has_begun:
                    self._begin(200, "text/event-stream")
                    has_begun = True
                for document in completion.chunks(chunk, with_usage=with_usage):
                    await self._data(f"data: {json.dumps(document)}\n\n".encode())
            await self._data(b"data: [DONE]\n\n")
        except AgentAPIException as error:
            if not has_begun:
                raise
            await self._data(f"data: {json.dumps(wire.refused(error).document())}\n\n".encode())
        await self._end()

    async def _refuse(self, error: RefusedError) -> None:
        await self._send(error.status, "application/json", error.document())

    async def _send(self, status: int, kind: str, document: Any) -> None:
        self._begin(status, kind)
        await self._data(json.dumps(document).encode())
        await self._end()

    def _begin(self, status: int, kind: str) -> None:
        headers = [("content-type", kind), ("transfer-encoding", "chunked")]
        if status >= 400:
            headers.append(("x-should-retry", "false"))  # the host has tried again, where that helps
        self._write(h11.Response(status_code=status, headers=headers))

    async def _data(self, data: bytes) -> None:
        self._write(h11.Data(data=data))
        await self._writer.drain()

    async def _end(self) -> None:
        self._write(h11.EndOfMessage())
        await self._writer.drain()

    def _write(self, event: h11.Event) -> None:
        if (data := self._http.send(event)) is not None:
            self._writer.write(data)


def _json(body: bytes | None) -> Any:
    if body is None:
        raise RefusedError(413, f"a request must have at most {MAX_BODY_BYTES} bytes")
    try:
        return json.loads(body)
    except ValueError:
        raise RefusedError(400, "the body is not JSON") from None
