"""Sessions of a user: runs that are submitted, watched, cancelled and deleted, by the native and the AG-UI protocol."""

import json
import uuid
from collections.abc import Callable
from typing import Any, Final

from tests.simulation import clients, stream_readers
from tests.simulation.rules import lines_of, messages_of, stored_runs
from tests.simulation.world import World
from yarrow.store import sessions

RUNS: Final = 3
Seen = dict[tuple[str, str, str], list[tuple[int, str, bytes]]]
"""Events by run, thread and device."""
Read = dict[tuple[str, str], tuple[list[Any], bool]]
"""Events by run and thread that a reader of its Durable Stream has, and whether it saw their end."""
Shown = dict[tuple[str, str], dict[str, str]]
"""Messages by run and thread, as an AG-UI client has them."""


def begin(world: World) -> Callable[[], None]:
    """Begin one or two sessions."""
    seen: Seen = {}
    read: Read = {}
    shown: Shown = {}
    chance = world.scheduler.chance
    for _ in range(chance.choice((1, 1, 2))):
        thread = str(uuid.uuid4())
        if chance.random() < 0.3:
            world.scheduler.spawn(f"talk in {thread[:4]}", lambda thread=thread: _converse(world, thread, shown))  # type: ignore[misc]
        else:
            world.scheduler.spawn(f"user of {thread[:4]}", lambda thread=thread: _use(world, thread, seen, read))  # type: ignore[misc]

    def check() -> None:
        check_seen(world, seen)
        _check_read(world, read)
        _check_shown(world, shown)

    return check


def _converse(world: World, thread: str, shown: Shown) -> None:
    """What one user does with an AG-UI client: it sends all it has, and keeps what it is told."""
    scheduler, chance = world.scheduler, world.scheduler.chance
    messages: list[dict[str, Any]] = []
    for number in range(1, chance.randint(1, RUNS) + 1):
        run = f"run-{number}"
        messages.append({"id": f"msg-{run}", "role": "user", "content": f"{run}: 合适吗?"})
        if chance.random() < 0.3:
            scheduler.spawn(
                "stop",
                lambda run=run: clients.cancel(world, thread, run),  # type: ignore[misc]
                after=chance.uniform(0, 15),
            )
        if chance.random() < 0.1:
            scheduler.spawn("removal", lambda: clients.delete(world, thread), after=chance.uniform(0, 15))
        client = clients.talk(world, thread, run, messages)
        if client is None or client.end is None:
            return
        shown[run, thread] = {message["id"]: message.get("content", "") for message in client.messages}
        if client.end["type"] == "RUN_FINISHED":
            messages += [
                message for message in client.messages if message["id"] not in {known["id"] for known in messages}
            ]


def _use(world: World, thread: str, seen: Seen, read: Read) -> None:
    """What one user does with a session: runs, one after the other, watched on two devices, and by a reader."""
    scheduler, chance = world.scheduler, world.scheduler.chance
    for number in range(1, chance.randint(1, RUNS) + 1):
        run = f"run-{number}"
        if chance.random() < 0.2:  # the same request from a second try that the first one does not wait for
            scheduler.spawn(
                f"again {run}",
                lambda run=run, number=number: clients.submit(world, thread, run, follow_up=number > 1),  # type: ignore[misc]
                after=chance.uniform(0, 0.05),
            )
        if clients.submit(world, thread, run, follow_up=number > 1) is None:
            return
        if chance.random() < 0.2:
            scheduler.spawn("stranger", lambda run=run: clients.intrude(world, thread, run))  # type: ignore[misc]

        def see(device: str, run: str = run) -> None:
            seen[run, thread, device] = clients.watch(world, thread, run)

        def follow(run: str = run) -> None:
            read[run, thread] = stream_readers.follow(world, thread, run)

        if chance.random() < 0.3:
            scheduler.spawn(f"reader {run}", follow, after=chance.uniform(0, 3))
        devices = [
            scheduler.spawn(f"{device} {run}", lambda device=device: see(device), after=chance.uniform(0, 3))  # type: ignore[misc]
            for device in ("phone", "page")[: chance.randint(1, 2)]
        ]
        if chance.random() < 0.4:
            scheduler.pause(chance.uniform(0, 15))
            for device in range(chance.randint(0, 2)):  # besides this one, at the same time
                scheduler.spawn(f"stop {device}", lambda run=run: clients.cancel(world, thread, run))  # type: ignore[misc]
            if chance.random() < 0.2:
                scheduler.spawn("removal", lambda: clients.delete(world, thread))
            clients.cancel(world, thread, run)
        elif chance.random() < 0.1:
            scheduler.pause(chance.uniform(0, 10))
            clients.delete(world, thread)
        if chance.random() < 0.8:
            scheduler.join(devices[0], 1_500)


def check_seen(world: World, seen: Seen) -> None:
    """What devices saw is what is stored."""
    for run in stored_runs():
        lines = lines_of(run.key)
        for (run_id, thread, device), outputs in seen.items():
            if (run_id, thread) != (run.run_id, run.thread_id):
                continue
            for number, _, data in outputs:
                if number > len(lines) or json.loads(data) != json.loads(lines[number - 1]):
                    world.violated(f"the {device} of {run_id} of {thread[:4]} saw another event {number}")
                    break


def _check_read(world: World, read: Read) -> None:
    """A reader has each event once, in order; all of them if it saw the end."""
    for run in stored_runs():
        has, closed = read.get((run.run_id, run.thread_id), ([], False))
        lines = [json.loads(line) for line in lines_of(run.key)]
        if has != lines[: len(has)] or (closed and len(has) != len(lines)):
            world.violated(f"a reader of {run.run_id} of {run.thread_id[:4]} has {len(has)} of {len(lines)} events")
        session = sessions.read(run.thread_id)
        is_there = session is not None and session.deleted_at is None
        if (run.run_id, run.thread_id) in read and is_there and not closed and not world.aws.faults:
            world.violated(f"a reader of {run.run_id} of {run.thread_id[:4]} never saw its end")


def _check_shown(world: World, shown: Shown) -> None:
    """An AG-UI client that saw the end of a run has all its messages, as they are stored."""
    for run in stored_runs():
        has = shown.get((run.run_id, run.thread_id))
        if has is not None and (output := messages_of(run.key)).items() - has.items():
            world.violated(f"an AG-UI client of {run.run_id} has {has}, its events {output}")
