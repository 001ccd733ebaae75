"""A story from a seed, and what must be true whatever went wrong in it."""

import json
import uuid
from collections import Counter
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from tests.simulation import clients
from tests.simulation.aws import FAULTS
from tests.simulation.scheduler import StuckError
from tests.simulation.world import World, world
from tests.support.memory_aws.table import Key
from yarrow.protocol.events import events
from yarrow.protocol.events.order import EventOrder
from yarrow.runs import get_history
from yarrow.settings import settings
from yarrow.store import clients as aws_clients
from yarrow.store import journal, runs, sessions, table
from yarrow.store.limits import run_slots, stream_slots
from yarrow.store.table import from_wire

RUNS: Final = 3
LINES: Final = 400
Shown = dict[tuple[str, str], dict[str, str]]
Seen = dict[tuple[str, str], list[tuple[int, str, bytes]]]


@dataclass(frozen=True)
class Report:
    """Of one seed; `history` are the last calls, for people."""

    seed: int
    steps: int
    problems: list[str]
    calls: Counter[tuple[str, str]]
    faults: int
    history: str
    works: int
    """The most workers that a run was given to."""


def tell(
    seed: int, without: Collection[int] = (), kinds: Collection[str] = FAULTS, rate: float | None = None
) -> Report:
    """Everything that happens from a seed, with faults of these kinds, without some of them by their numbers."""
    with world(seed) as found:
        found.aws.without, found.aws.kinds = frozenset(without), frozenset(kinds)
        found.aws.rate = found.aws.rate if rate is None else rate
        seen: Seen = {}
        shown: Shown = {}
        chance = found.scheduler.chance
        for _ in range(chance.choice((1, 1, 2))):
            thread = str(uuid.uuid4())
            if chance.random() < 0.3:
                found.scheduler.spawn(f"talk in {thread[:4]}", lambda thread=thread: _converse(found, thread, shown))  # type: ignore[misc]
            else:
                found.scheduler.spawn(f"user of {thread[:4]}", lambda thread=thread: _use(found, thread, seen))  # type: ignore[misc]
        try:
            found.scheduler.run()
            settle(found)
        except StuckError as error:
            found.violated(f"no end: {error}")
        else:
            check(found, seen, shown)
        works = max(found.executions.works.values(), default=0)
        aws = found.aws
        return Report(seed, found.scheduler.steps, found.problems, aws.made, aws.faults, _table(found), works)


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
        shown[run, thread] = {each["id"]: each.get("content", "") for each in client.messages}
        if client.end["type"] == "RUN_FINISHED":
            messages += [each for each in client.messages if each["id"] not in {known["id"] for known in messages}]


def _use(world: World, thread: str, seen: Seen) -> None:
    """What one user does with a session: runs, one after the other, watched on two devices."""
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
            seen[run, f"{thread} {device}"] = clients.watch(world, thread, run)

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


def settle(world: World) -> None:
    """What is left of the faults' consequences: a run whose worker is gone ends once somebody watches it."""
    world.aws.rate = 0.0
    for run in _runs():
        if not run.ended:
            world.scheduler.spawn("late viewer", lambda run=run: clients.watch(world, run.thread_id, run.run_id))  # type: ignore[misc]
    world.scheduler.run()


def _runs() -> list[runs.Run]:
    items = map(from_wire, aws_clients.dynamodb().scan(TableName=settings.table_name)["Items"])
    return [runs.stored(item) for item in items if item["sk"] == "RUN"]


def check(world: World, seen: Seen, shown: Shown) -> None:
    """What is stored, and what clients saw of it by run and device."""
    for run in _runs():
        name = f"{run.run_id} of {run.thread_id[:4]}"
        lines: list[str] = []
        latest = 1
        for batch in journal.read(run.key, journal.Position()):
            if batch.attempt > latest and batch.lines:
                world.violated(f"worker {batch.attempt} of {name} did not shut the others out before it wrote")
            if journal.NOBODY < batch.attempt < latest:
                world.violated(f"worker {batch.attempt} of {name} wrote after worker {latest}")
            latest = max(latest, batch.attempt)
            numbers = [number for number, _ in batch.numbered()]
            if numbers and numbers[0] != len(lines) + 1:
                world.violated(f"the events of {name} are not dense at {numbers[0]}")
            lines += batch.lines
        if len(lines) != sum(_events(run.key)):
            world.violated(f"{name} has events that nobody reads")
        try:
            EventOrder().replay(lines)
        except Exception as error:  # noqa: BLE001 (whatever it is)
            world.violated(f"{name}: {error}")
        kinds = [json.loads(line)["type"] for line in lines]
        terminal = [number for number, kind in enumerate(kinds, 1) if kind in clients.TERMINAL]
        if not run.ended or terminal != [len(kinds)] or run.last_sequence != len(kinds):
            world.violated(f"{name} is {run.phase} with {kinds[-1]} at {terminal} of {len(kinds)}")
        code = json.loads(lines[-1]).get("code") if lines else None
        if not world.aws.faults and code in ("RUN_LOST", "RUN_FAILED", "RUN_TIMEOUT"):
            world.violated(f"{name} ended with {code} though nothing failed")
        for (run_id, device), told in seen.items():
            if run_id == run.run_id and device.startswith(run.thread_id):
                _check_seen(world, f"{device[-5:]} of {name}", told, lines)
    _check_sessions(world)
    _check_slots(world)
    _check_owners(world)
    _check_shown(world, shown)
    _check_ends(world)


def _check_seen(world: World, who: str, told: list[tuple[int, str, bytes]], lines: list[str]) -> None:
    for number, _, data in told:
        if number > len(lines) or json.loads(data) != json.loads(lines[number - 1]):
            world.violated(f"the {who} saw another event {number}")
            return


def _check_shown(world: World, shown: Shown) -> None:
    """An AG-UI client that saw the end of a run has all its messages, as they are stored."""
    for run in _runs():
        has = shown.get((run.run_id, run.thread_id))
        told: dict[str, str] = {}
        for each in [] if has is None else _stored(run.key):
            if isinstance(each, events.TextMessageContent):
                told[each.message_id] = told.get(each.message_id, "") + each.delta
        if has is not None and told.items() - has.items():
            world.violated(f"an AG-UI client of {run.run_id} has {has}, its events {told}")


def _check_ends(world: World) -> None:
    """Nobody can end a run again, not even after its terminal event (EVT-08)."""
    for run in _runs():
        with suppress(table.ConditionFailedError):
            journal.end(run.key, journal.NOBODY, journal.last_batch(run.key).end, ["{}"], "failed", [])
            world.violated(f"{run.run_id} of {run.thread_id[:4]} ended twice")


def _stored(run_key: str) -> list[events.Event]:
    return [events.decode(line) for batch in journal.read(run_key, journal.Position()) for line in batch.lines]


def _events(run_key: str) -> list[int]:
    """How many events each item of the journal has, whatever its place."""
    found = table.query(table.run_key_of(run_key)["pk"], start="EVENT#", before="EVENT#~")
    return [len(item["events"].split("\n")) for item in found if "events" in item]


def _check_sessions(world: World) -> None:
    by_thread: dict[str, list[runs.Run]] = {}
    for run in _runs():
        by_thread.setdefault(run.thread_id, []).append(run)
    for thread, its_runs in by_thread.items():
        session = sessions.read(thread)
        if session is None:
            world.violated(f"{thread[:4]} has runs and no session")
            continue
        if session.active_run is not None:
            world.violated(f"{thread[:4]} is held by {session.active_run[:6]}")
        if session.deleted_at is not None:
            continue
        told: dict[str, str] = {}
        for run in its_runs:
            for each in _stored(run.key) if run.phase == "finished" else ():
                if isinstance(each, events.TextMessageContent):
                    told[each.message_id] = told.get(each.message_id, "") + each.delta
        snapshot = get_history.whole_session(thread, clients.USER).model_dump(mode="json")
        kept = Counter(each["content"] for each in snapshot["messages"] if each["role"] == "assistant")
        if kept != Counter(told.values()):
            world.violated(f"the history of {thread[:4]} has {kept}, its events {Counter(told.values())}")
        asked = [each for each in snapshot["messages"] if each["role"] == "user"]
        if len(asked) != len(its_runs):
            world.violated(f"{thread[:4]} has {len(asked)} questions and {len(its_runs)} runs")


def _check_slots(world: World) -> None:
    """A slot of a run is given back when another is wanted; that of a stream at its end, or by its expiry."""
    listed = run_slots.stored(table.get(run_slots.key(clients.USER)))
    if not listed <= {run.key for run in _runs()}:
        world.violated("a run that there is not has a slot")
    streams = table.get(stream_slots._key(clients.USER))
    if streams and streams["slots"] and not any(fault != "none" for _, fault in world.aws.made):
        world.violated(f"{len(streams['slots'])} streams are open that nobody reads")


def _check_owners(world: World) -> None:
    """No item without the item that says whose it is."""
    keys: set[Key] = {(item["pk"]["S"], item["sk"]["S"]) for item in world.aws.table.items}
    for pk, sk in keys:
        head = {"RUN": (pk, "RUN"), "SESSION": (pk, "SESSION")}.get(pk.partition("#")[0])
        if head is not None and head not in keys and sk != "RESERVATION":
            world.violated(f"{pk[:12]} {sk} is nobody's")


def _table(world: World) -> str:
    rows = world.aws.history[-LINES:]
    return "\n".join(
        f"{at:10.3f}  {who:<22} {what:<70} {fault:<13} {outcome}" for at, who, what, fault, outcome in rows
    )
