"""Our own processor time per event, without an engine: writing a journal, and streaming it to a client.

Writing is what a worker does for a delta: check its place, number, serialise and pack it, with or without the way from
the runner's result to the event. Streaming is what `GET …/events` does: read the stored batches, splice the frames and
send them through ASGI, beside a bare Starlette response that yields the same frames, made beforehand. Blocks of all
take turns; a figure is the median of its blocks. Each block is a run of 20 seconds at 50 deltas a second.
"""

import asyncio
import json
import uuid
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack
from statistics import median
from time import process_time
from unittest.mock import patch

from starlette.responses import StreamingResponse
from starlette.types import ASGIApp, Message

from tests.bench.delta_stack import DeltaRunner
from tests.bench.engine.free_table import FreeTable
from tests.bench.row import Row
from tests.support import virtual_time
from tests.support.journals import end_of, numbered
from tests.support.run_contexts import no_api, run_context
from yarrow.protocol.events import events, sse
from yarrow.protocol.events.order import EventOrder
from yarrow.runs.first_event import first_event
from yarrow.runs.stream_events import Subscription
from yarrow.settings import settings
from yarrow.store import clients, clock, journal, runs, sessions
from yarrow.store.limits import stream_slots
from yarrow.web.streams.event_stream import EventStreamResponse
from yarrow.worker.journal_writer import JournalWriter
from yarrow.worker.orchestrator import Orchestrator

BLOCKS = 15
RATE = 50
DELTAS = 20 * RATE
FRAMED_BY = 3
"""The events of a run besides: it starts, the message starts, and it ends."""


def measure() -> list[Row]:
    """Return the microseconds per event of the writer, of the path to it, and of the reader beside a bare response."""
    writing, paced, whole, reading, bare = [], [], [], [], []
    for _ in range(BLOCKS):
        with _free_table():
            writing.append(asyncio.run(_write(_new_run())))
        with _free_table():
            whole.append(asyncio.run(_work(_new_run())))
        with _free_table():
            run = _new_run()
            paced.append(_at_pace(run))
            frames = [sse.frame(number, line) for number, line in numbered(run.key)]
            slot = stream_slots.Slot(run.user_id, "slot")
            subscription = Subscription(run.key, 0, journal.Position(), 300, len(frames), slot)
            reading.append(asyncio.run(_stream(EventStreamResponse, subscription, 60)))
            bare.append(asyncio.run(_stream(StreamingResponse, _each(frames))))
    return [
        Row("write an event to the journal", "µs", median(writing)),
        Row(f"write an event to the journal, {RATE} a second", "µs", median(paced)),
        Row("a runner's delta, from result to journal", "µs", median(whole)),
        Row("stream a stored event", "µs", median(reading), "bare Starlette, frames ready-made", median(bare)),
    ]


def _free_table() -> ExitStack:
    free = FreeTable()
    patches = ExitStack()
    patches.enter_context(patch.object(clients, "dynamodb", lambda: free))
    patches.enter_context(patch.dict(settings.__dict__, table_name="free", stream_bytes_per_minute=0))
    return patches


def _new_run() -> runs.Run:
    thread = str(uuid.uuid4())
    run = runs.Run(
        key=runs.key_of("alice", thread, "run-1"),
        user_id="alice",
        thread_id=thread,
        run_id="run-1",
        agent="divination",
        runtime_mode="chat",
        fingerprint="",
        made_session=True,
        created_at=clock.now_iso(),
    )
    message = sessions.StoredMessage("msg-1", thread, 1, "user", "", run.created_at)
    runs.create(runs.RunPlan(run, "{}", first_event(run), [message]), None)
    return run


def _order(run: runs.Run) -> EventOrder:
    order = EventOrder()
    order.admit(events.RunStarted(**run.ids))
    return order


async def _write(run: runs.Run, pause: float | None = None) -> float:
    """Write a message of DELTAS pieces, as fast as they are taken or with a pause after each."""
    async with JournalWriter(run, _order(run), journal.Position(1)) as writer:
        await writer.write(events.TextMessageStart(**run.ids, message_id="msg-2"))
        start = process_time()
        for number in range(DELTAS):
            await writer.write(events.TextMessageContent(**run.ids, message_id="msg-2", delta=f"{number:10d} "))
            if pause is not None:
                await asyncio.sleep(pause)
        await writer.close()
        return _microseconds(start)


def _at_pace(run: runs.Run) -> float:
    """Write at RATE, without what the runner's own waiting takes; then the terminal event."""
    figures: list[float] = []

    async def write() -> None:
        start = process_time()
        for _ in range(DELTAS):
            await asyncio.sleep(1 / RATE)
        waiting = _microseconds(start)
        figures.append(await _write(run, pause=1 / RATE) - waiting)

    virtual_time.run(write())
    last = events.encode(events.RunFinished(**run.ids))
    journal.end(run.key, run.attempt, end_of(run.key), [last], "finished", [])
    return figures[0]


async def _work(run: runs.Run) -> float:
    """Hear a runner that says DELTAS pieces."""
    context = run_context(run.key, json.dumps({"deltas": DELTAS, "rate": 0}))
    async with JournalWriter(run, _order(run), journal.Position(1)) as writer:
        start = process_time()
        await Orchestrator(run, ("worker",), writer).run(DeltaRunner(), context, no_api(run.key))
        await writer.close()
        return _microseconds(start)


async def _stream(make: Callable[..., ASGIApp], *arguments: object) -> float:
    """Drive a response to its end. Raises ValueError unless every frame comes."""
    sent: list[bytes] = []

    async def receive() -> Message:
        return await asyncio.Future()

    async def send(message: Message) -> None:
        sent.append(message.get("body", b""))

    start = process_time()
    await make(*arguments)({"type": "http", "asgi": {"spec_version": "2.4"}}, receive, send)
    spent = _microseconds(start)
    if (frames := b"".join(sent).count(b"\n\n")) != DELTAS + FRAMED_BY:
        raise ValueError(f"{frames} frames were sent")
    return spent


async def _each(frames: list[bytes]) -> AsyncIterator[bytes]:
    for frame in frames:
        yield frame


def _microseconds(start: float) -> float:
    """Return the processor time since then, for each delta."""
    return (process_time() - start) / DELTAS * 1e6
