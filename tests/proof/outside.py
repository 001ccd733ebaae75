"""All that workers call: the table, a provider of models, and effects that are counted by their keys.

It is one server on this machine. At a point of the run's plan it kills the worker, as a process, and waits until its
connection is closed: an answer is never on its way to a dead worker.
"""

import asyncio
import json
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import Any, Final

import uvicorn
from starlette.types import Message, Receive, Scope, Send

from local.dynamodb import service
from local.dynamodb.database import Database
from local.dynamodb.encoding import loads
from tests.proof import provider
from tests.proof.points import AFTER, BEFORE, BEGUN, HALF, WHOLE, Points

Json = dict[str, Any]

WRITES: Final = frozenset({"PutItem", "UpdateItem", "DeleteItem", "TransactWriteItems"})
DEATH_SECONDS: Final = 2.0
"""Within which a killed worker's connection is closed; another function's is not."""
MOMENT_SECONDS: Final = 0.1
"""After a death, within which the dead worker's other connections are closed."""
PIECE_SECONDS: Final = 0.003
KEEP_ALIVE_SECONDS: Final = 3600
STREAMS_SECONDS: Final = 600.0
"""The table has no streams, which nobody needs here: who asks again whether there are any waits so long."""
_STEP: Final = "STEP#"


@dataclass
class Outside:
    """What happened outside in the current run. `models` counts requests by their bodies, `effects` calls by key."""

    kill: Callable[[], int] = lambda: 0
    points: Points = field(default_factory=Points)
    models: Counter[str] = field(default_factory=Counter)
    effects: Counter[tuple[str, str]] = field(default_factory=Counter)
    """By the effect's name and its key."""
    stored: Counter[str] = field(default_factory=Counter)
    """Ended steps that the table has, by action."""
    unstored: Counter[str] = field(default_factory=Counter)
    """Calls that were made and whose result was not stored when a worker was killed, by kind, over all kills."""
    killed: int = 0
    address: str = ""
    database: Database = field(default_factory=Database)
    variant: int = 0
    """Added to what models say: with another one they answer the same request differently."""
    varies: bool = False
    _is_interrupted: bool = False
    _has_streams: bool = False
    _dying: asyncio.Event | None = None
    """Set once the worker that is being killed is gone; until then nothing else happens outside."""

    def begin(self, points: Points, *, varies: bool = False) -> None:
        """Forget the last run."""
        self.points, self.killed, self.variant, self.varies = points, 0, 0, varies
        self._is_interrupted = False
        for item in (self.models, self.effects, self.stored, self.unstored):
            item.clear()

    async def app(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer as DynamoDB, as OpenAI or as whoever has effects, by path and headers."""
        body = await _body(receive)
        if body is None or await self._is_dead(receive):
            return
        target = next((value.decode() for name, value in scope["headers"] if name == b"x-amz-target"), "")
        if target.startswith("DynamoDBStreams"):
            if self._has_streams:
                await _is_closed(receive, STREAMS_SECONDS)
            self._has_streams = True
            await _answer(send, b'{"Streams": []}')
        elif target:
            await self._table(target.rpartition(".")[2], body, scope, receive, send)
        elif scope["path"].endswith("/chat/completions"):
            await self._model(json.loads(body), receive, send)
        else:
            await self._effect(json.loads(body), receive, send)

    async def _table(self, operation: str, body: bytes, scope: Scope, receive: Receive, send: Send) -> None:
        async def again() -> Message:
            return {"type": "http.request", "body": body}

        if operation not in WRITES:
            await service.serve(self.database, scope, again, send)
            return
        name = self.points.name(f"{operation} {_subject(operation, loads(body))}")
        if self.points.is_fatal(name, BEFORE) and await self._die(receive):
            return
        answers: list[Message] = []
        await service.serve(self.database, scope, again, _into(answers))
        if operation in ("PutItem", "UpdateItem") and answers[0]["status"] == 200:
            self._note(operation, loads(body))
        if self.points.is_fatal(name, AFTER) and await self._die(receive):
            return
        for answer in answers:
            await send(answer)

    def _note(self, operation: str, request: Json) -> None:
        if self._is_interrupted and operation == "UpdateItem" and request["Key"]["sk"]["S"] == "RUN":
            self._is_interrupted = False  # the next worker's claim: the last one is gone, and all that it sent is here
            made = {"model": self.models.total(), "effect": self.effects.total()}
            self.unstored += Counter(
                {kind: number - self.stored[kind] - self.unstored[kind] for kind, number in made.items()}
            )
        item = request.get("Item", {})
        if item.get("sk", {}).get("S", "").startswith(_STEP) and "ms" in item:
            self.stored[kind_of(item["runner_action"]["S"], item.get("resource_name", {}).get("S", ""))] += 1

    async def _model(self, request: Json, receive: Receive, send: Send) -> None:
        name = self.points.name("model")
        self.models[json.dumps(request, sort_keys=True, ensure_ascii=False)] += 1
        self.variant += self.varies
        if self.points.is_fatal(name, BEGUN) and await self._die(receive):
            return
        answer = provider.answer(request, self.variant)
        headers = [(key.lower().encode(), value.encode()) for key, value in answer.headers]
        await send({"type": "http.response.start", "status": answer.status, "headers": headers})
        for number, piece in enumerate(answer.pieces):
            if (
                number == (len(answer.pieces) + 1) // 2
                and self.points.is_fatal(name, HALF)
                and await self._die(receive)
            ):
                return
            await asyncio.sleep(PIECE_SECONDS)
            if await self._is_dead(receive):
                return
            await send({"type": "http.response.body", "body": piece, "more_body": True})
        if self.points.is_fatal(name, WHOLE) and await self._die(receive):
            return
        await send({"type": "http.response.body", "body": b""})

    async def _effect(self, request: Mapping[str, str], receive: Receive, send: Send) -> None:
        name = self.points.name(f"effect {request['name']}")
        if self.points.is_fatal(name, BEFORE) and await self._die(receive):
            return
        self.effects[request["name"], request["key"]] += 1
        if self.points.is_fatal(name, AFTER) and await self._die(receive):
            return
        await _answer(send, json.dumps({"receipt": f"of {request['name']}"}).encode())

    async def _die(self, receive: Receive) -> bool:
        """Kill the worker; whether the request was its, which then needs no answer."""
        self._dying = asyncio.Event()
        killing = asyncio.create_task(asyncio.to_thread(self.kill_now))
        was_its = await _is_closed(receive, DEATH_SECONDS)
        await killing
        self._dying.set()
        self._dying = None
        return was_its

    async def _is_dead(self, receive: Receive) -> bool:
        """Wait while a worker is being killed; whether this request came from it, too."""
        if self._dying is None:
            return False
        await self._dying.wait()
        return await _is_closed(receive, MOMENT_SECONDS)

    def kill_now(self) -> int:
        """Kill whoever works on the run; the number of processes."""
        killed = self.kill()
        self.killed += killed
        self._is_interrupted |= killed > 0
        return killed


def kind_of(action: str, name: str) -> str:
    """Of a step: `model`, `effect` or another."""
    if action.startswith("models."):
        return "model"
    return "effect" if name in provider.EFFECTS else "other"


@contextmanager
def serving() -> Iterator[Outside]:
    """The server, on a port of its own."""
    outside = Outside()
    config = uvicorn.Config(
        outside.app,
        port=0,
        interface="asgi3",
        lifespan="off",
        log_config=None,
        access_log=False,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
    )
    server = uvicorn.Server(config)
    server.capture_signals = nullcontext  # type: ignore[assignment]  # in a thread
    listener = config.bind_socket()
    outside.address = f"http://127.0.0.1:{listener.getsockname()[1]}"
    thread = threading.Thread(target=server.run, args=([listener],))
    thread.start()
    try:
        yield outside
    finally:
        server.should_exit = server.force_exit = True
        thread.join()


def _into(answers: list[Message]) -> Send:
    async def send(message: Message) -> None:
        answers.append(message)

    return send


async def _body(receive: Receive) -> bytes | None:
    """All of it; None if its client is gone."""
    chunks, more = b"", True
    while more:
        if (message := await receive())["type"] == "http.disconnect":
            return None
        chunks, more = chunks + message.get("body", b""), message.get("more_body", False)
    return chunks


async def _answer(send: Send, body: bytes) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": body})


async def _is_closed(receive: Receive, seconds: float) -> bool:
    """Whether the client closes its connection within so many seconds."""
    try:
        await asyncio.wait_for(_disconnected(receive), seconds)
    except TimeoutError:
        return False
    return True


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _subject(operation: str, request: Json) -> str:
    """The kind of item that a write is about."""
    writes = (
        [next(iter(item.values())) for item in request["TransactItems"]] if "TransactItems" in request else [request]
    )
    kinds = [(write.get("Item") or write["Key"])["sk"]["S"].partition("#")[0] for write in writes]
    return "+".join(dict.fromkeys(kinds)) if operation == "TransactWriteItems" else kinds[0]
