"""What people's devices do: submit and repeat, watch and come back, cancel, delete."""

import asyncio
import json
import re
from typing import Any, Final

from starlette.types import Message

from tests.simulation.world import World
from tests.support.agui.app import body as agui_body
from tests.support.agui.client import AgUiClient, data_of, read
from tests.support.divination_runs import body
from yarrow.protocol.caller import Caller
from yarrow.protocol.problems import Code, Problem
from yarrow.runs import get_history
from yarrow.runs.cancel_run import cancel_run
from yarrow.runs.delete_session import delete_session
from yarrow.runs.send_message import send_message
from yarrow.runs.stream_events import Subscription, stream_events
from yarrow.runs.submit_run import submit_run
from yarrow.web.streams.event_stream import EventStreamResponse
from yarrow.web.streams.stream_formats import NATIVE, StreamFormat, agui_format

USER: Final = "alice"
STRANGER: Final = "mallory"
TRIES: Final = 12
STREAM_SECONDS: Final = 885.0
GIVEN_UP: Final = frozenset({Code.AGENT_SESSION_NOT_FOUND, Code.AGENT_RUN_NOT_FOUND})
FRAME: Final = re.compile(rb"id: (\d+)\nevent: (\w+)\ndata: (.*)\n\n")
_INVALID: Final = 422
TERMINAL: Final = frozenset({"RUN_FINISHED", "RUN_ERROR"})


def submit(world: World, thread: str, run: str, *, follow_up: bool) -> str | None:
    """The key of the run; None if it was not taken. The same request is repeated until there is an answer."""
    return _submit(world, run, request(thread, run, follow_up=follow_up))


def submit_chat(world: World, thread: str, run: str, agent: str) -> str | None:
    """Return the same for a run of another agent than the flagship."""
    return _submit(
        world, run, {**request(thread, run, follow_up=False), "forwardedProps": {"runtime_mode": "chat"}}, agent
    )


def _submit(world: World, run: str, body: dict[str, Any], agent: str | None = None) -> str | None:
    request, keys = json.dumps(body).encode(), set[str]()
    for _ in range(TRIES):
        try:
            keys.add(world.function(f"submit {run}", lambda: submit_run(request, Caller(USER), agent).run.key))
            if world.scheduler.chance.random() < 0.8:
                break
        except Problem as problem:
            if problem.code in GIVEN_UP:
                return None
            if problem.status == _INVALID:
                world.violated(f"the submit of {run} is refused: {problem}")
        except Exception:  # noqa: BLE001, S110 (the function failed: a client repeats the request)
            pass
        world.scheduler.pause(world.scheduler.chance.uniform(0.2, 8))
    if len(keys) > 1:
        world.violated(f"the submit of {run} made {len(keys)} runs")
    return next(iter(keys), None)


def request(thread: str, run: str, *, follow_up: bool) -> dict[str, Any]:
    """Return the body of a submit."""
    request = body(threadId=thread, runId=run, messages=[{"id": f"msg-{run}", "role": "user", "content": "合适吗?"}])
    if follow_up:
        props = {**request["forwardedProps"], "runtime_mode": "follow_up"}
        request["forwardedProps"] = props
    return request


def watch(world: World, thread: str, run: str) -> list[tuple[int, str, bytes]]:
    """All events until the last, over lines that are cut: each comes once, in order."""
    found: list[tuple[int, str, bytes]] = []
    for _ in range(TRIES * 4):
        after = found[-1][0] if found else 0
        frames: list[bytes] = []
        cut = world.scheduler.chance.choice((1, 2, 5, 1_000, 1_000))
        try:
            world.function(f"watch {run}", lambda: stream(thread, run, after, frames, cut), STREAM_SECONDS + 5)  # noqa: B023
        except Problem as problem:
            if problem.code in GIVEN_UP:
                return found
        except Exception:  # noqa: BLE001, S110 (whatever broke, the client comes back)
            pass
        for number, kind, data in FRAME.findall(b"".join(frames)):
            if int(number) != (found[-1][0] if found else 0) + 1:
                world.violated(f"event {int(number)} of {run} came after {found[-1][0] if found else 0}")
            if found and found[-1][1] in TERMINAL:
                world.violated(f"an event of {run} came after the terminal one")
            found.append((int(number), kind.decode(), data))
        if found and found[-1][1] in TERMINAL:
            return found
        world.scheduler.pause(world.scheduler.chance.uniform(0.1, 4))
    return found


class _LeftError(OSError):
    """The client is gone."""


def stream(thread: str, run: str, after: int, frames: list[bytes], cut: int) -> None:
    """Add so many chunks of a run's events after a number."""
    respond(stream_events(USER, thread, run, str(after) if after else None, None), NATIVE, frames, cut)


def respond(subscription: Subscription, format_: StreamFormat, frames: list[bytes], cut: int) -> None:
    """Add so many chunks of a subscription's; then the client is gone."""
    response = EventStreamResponse(subscription, STREAM_SECONDS, format_)
    sent = 0

    async def send(message: Message) -> None:
        nonlocal sent
        if chunk := message.get("body", b""):
            sent += 1
            if sent > cut:
                raise _LeftError
            frames.append(chunk)

    async def receive() -> Message:
        return await asyncio.Future()

    async def respond() -> None:
        await response({"type": "http", "asgi": {"spec_version": "2.4"}}, receive, send)

    asyncio.run(respond())


def talk(world: World, thread: str, run: str, messages: list[dict[str, Any]]) -> AgUiClient | None:
    """What an AG-UI client has after a run, over lines that are cut; None if it never sees the end.

    Its only way to go on is the same request again.
    """
    request = json.dumps(agui_body(run, *messages, threadId=thread)).encode()
    for _ in range(TRIES * 2):
        frames: list[bytes] = []
        cut = world.scheduler.chance.choice((1, 3, 1_000, 1_000, 1_000))
        try:
            world.function(f"talk {run}", lambda: _talk(request, frames, cut), STREAM_SECONDS + 5)  # noqa: B023
        except Problem as problem:
            if problem.code in GIVEN_UP:
                return None
        except Exception:  # noqa: BLE001, S110 (whatever broke, the client comes back)
            pass
        lines = data_of(b"".join(frames)) if frames else []
        last = json.loads(lines[-1]) if lines else {}
        if last.get("type") in TERMINAL and not last.get("code", "").startswith("STREAM_"):
            try:
                return read(lines)
            except Exception as error:  # noqa: BLE001 (whatever it is)
                world.violated(f"an AG-UI client of {run}: {error!r}")
                return None
        world.scheduler.pause(world.scheduler.chance.uniform(0.1, 4))
    if not world.aws.faults:
        world.violated(f"an AG-UI client never saw the end of {run}")
    return None


def _talk(request: bytes, frames: list[bytes], cut: int) -> None:
    stream = send_message(request, Caller(USER))
    respond(stream.subscription, agui_format(stream.profile, stream.snapshot_event), frames, cut)


def cancel(world: World, thread: str, run: str) -> None:
    """Until it is answered."""
    _insist(world, f"cancel {run}", lambda: cancel_run(USER, thread, run))


def delete(world: World, thread: str) -> None:
    """Until it is answered."""
    _insist(world, "delete", lambda: delete_session(USER, thread))


def intrude(world: World, thread: str, run: str) -> None:
    """Somebody else tries whatever there is, with the ids of this session."""
    for act in (
        lambda: stream_events(STRANGER, thread, run, None, None),
        lambda: cancel_run(STRANGER, thread, run),
        lambda: get_history.whole_session(thread, STRANGER),
        lambda: submit_run(json.dumps(request(thread, run, follow_up=False)).encode(), Caller(STRANGER)),
        lambda: delete_session(STRANGER, thread),
    ):
        try:
            world.function("stranger", act)
        except Problem as problem:
            if problem.status not in (403, 404):
                world.violated(f"a stranger gets {problem.status} of {run}")
        except Exception:  # noqa: BLE001, S110 (a failed function told nothing)
            pass
        else:
            world.violated(f"a stranger could use {run}")


def _insist(world: World, name: str, act: Any) -> None:
    for _ in range(TRIES):
        try:
            world.function(name, act)
        except Problem as problem:
            if problem.status < 500:
                return
        except Exception:  # noqa: BLE001, S110 (the client repeats it)
            pass
        else:
            return
        world.scheduler.pause(world.scheduler.chance.uniform(0.2, 5))
