"""Readers of a run's Durable Stream: in chunks, by long polls, or as server-sent events, from offset to offset."""

import asyncio
import json
import re
from typing import Any, Final

from starlette.responses import Response

from tests.simulation import clients
from tests.simulation.world import World
from yarrow.protocol.events import durable_stream
from yarrow.protocol.problems import Problem
from yarrow.runs import read_stream
from yarrow.web.streams import durable_stream as responses

POLL_SECONDS: Final = 20.0
FRAME: Final = re.compile(rb"(?:event: data\ndata:(.*)\n\n)?event: control\ndata:(.*)\n\n")
Heard = tuple[list[Any], int, bool]
"""Events, the offset after them, and whether none will follow."""


def follow(world: World, thread: str, run: str) -> tuple[list[Any], bool]:
    """What a reader has of a run, and whether it saw its end. It changes its way of reading as it likes."""
    found: list[Any] = []
    at = 0
    for _ in range(clients.TRIES * 4):
        read = world.scheduler.chance.choice((_chunk, _poll, _stream))
        try:
            heard, after, closed = read(world, thread, run, at)
        except Problem as problem:
            if problem.code in clients.GIVEN_UP:
                return found, False
        except Exception:  # noqa: BLE001, S110 (whatever broke, the reader comes back)
            pass
        else:
            if after != at + len(heard):
                world.violated(f"a reader of {run} got {len(heard)} events from {at} to {after}")
            found, at = found + heard, after
            if closed:
                return found, True
        world.scheduler.pause(world.scheduler.chance.uniform(0.1, 4))
    return found, False


def _chunk(world: World, thread: str, run: str, at: int) -> Heard:
    chunk = world.function(f"read {run}", lambda: read_stream.read_chunk(clients.USER, thread, run, at))
    return _heard(responses.catch_up(chunk, None))


def _poll(world: World, thread: str, run: str, at: int) -> Heard:
    def act() -> Response:
        subscription = read_stream.subscribe(clients.USER, thread, run, at)
        return asyncio.run(responses.long_poll(subscription, "1", POLL_SECONDS))

    return _heard(world.function(f"poll {run}", act, 2 * POLL_SECONDS))


def _heard(response: Response) -> Heard:
    lines = json.loads(bytes(response.body)) if response.body else []
    return lines, int(response.headers[durable_stream.NEXT_OFFSET]), durable_stream.CLOSED in response.headers


def _stream(world: World, thread: str, run: str, at: int) -> Heard:
    """Whatever broke it, what came before counts."""
    frames: list[bytes] = []
    cut = world.scheduler.chance.choice((1, 2, 1_000))

    def act() -> None:
        subscription = read_stream.subscribe(clients.USER, thread, run, at)
        clients.respond(subscription, responses.sse_format("1"), frames, cut)

    try:
        world.function(f"follow {run}", act, clients.STREAM_SECONDS + 5)
    except Exception:
        if not frames:
            raise
    heard: list[Any] = []
    closed = False
    for data, control in FRAME.findall(b"".join(frames)):
        heard += json.loads(data) if data else []
        members = json.loads(control)
        at, closed = int(members["streamNextOffset"]), members.get("streamClosed", False)
    return heard, at, closed
