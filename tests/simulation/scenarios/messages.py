"""Messages that a user adds to runs from two devices, while workers die or are replaced and the run ends."""

import asyncio
import json
import random
import uuid
from collections import defaultdict
from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any, Final
from unittest.mock import patch

from local.dynamodb.table import ItemChange
from tests.simulation import clients
from tests.simulation.effects import Effects
from tests.simulation.rules import events_of, stored_runs
from tests.simulation.scenarios.steps import longer_runs
from tests.simulation.world import PAUSES, World
from tests.support.memory_aws.aws import MemoryBucket
from tests.support.runners.scripted import completed, delta, stand_in
from yarrow.protocol.events.events import Custom
from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.response_body import to_json
from yarrow.protocol.run_message import RunMessage, RunMessageAccepted
from yarrow.protocol.runner.models import AgentRunContext, AgentRunResult
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.protocol.runner.vocabulary import MAX_ADDED, MESSAGE_TAKEN, MESSAGES_UNREAD
from yarrow.runs import get_history
from yarrow.runs.steer_run import steer_run
from yarrow.settings import settings
from yarrow.store import runs, sessions
from yarrow.store.runner import added_messages
from yarrow.store.table import from_wire
from yarrow.worker.invocation.registry import registry

RUNS: Final = 2
MOST_ACTS: Final = 16
ACTS: Final = {"pull": 10, "pay": 1, "sleep": 0.5, "say": 2, "pause": 3, "fail": 0.1}
"""How often a run has them; its last is a pull."""
TRIES: Final = 15
TURNS: Final = (30.0, 90.0, 800.0)
"""Seconds of a turn."""
SLEEPS: Final = (5.0, 45.0)
LIMITS: Final = (1, 2, MAX_ADDED, MAX_ADDED)
"""The most messages of a pull."""
MESSAGES: Final = (2, 4, 8, MAX_ADDED + 3)
"""Of a device, for one run."""
SLOW: Final = (0.0, 0.0, 3.0, 8.0, 16.0)
"""Seconds for which a worker stands still before it takes messages, and after it: another may have its run then."""
BETWEEN: Final = (0.0, 0.5, 2.0, 4.0)
"""Seconds between two messages of a device."""

_Message = tuple[str, str]
"""The id and the content."""


@dataclass
class _Messages:
    """What is known of messages, by the key of the run that they were for."""

    world: World
    effects: Effects
    tried: defaultdict[str, set[_Message]] = field(default_factory=lambda: defaultdict(set))
    accepted: defaultdict[str, dict[str, tuple[str, int]]] = field(default_factory=lambda: defaultdict(dict))
    """The content and the place that a device was told, by id."""
    pulled: defaultdict[str, dict[int, list[_Message]]] = field(default_factory=lambda: defaultdict(dict))
    """What workers got for a pull, by its number."""

    due: defaultdict[str, dict[int, list[str]]] = field(default_factory=lambda: defaultdict(dict))
    """The ids of messages that waited when the first worker began a pull, up to its limit."""

    attempts: dict[object, int] = field(default_factory=dict)
    """The attempt as which a worker has, or had, its run."""

    pulling: dict[object, int] = field(default_factory=dict)
    """The number of the pull that a worker has begun last."""

    steps: defaultdict[str, dict[int, str]] = field(default_factory=lambda: defaultdict(dict))
    """The key of the step of a pull, by its number."""

    def watch(self) -> None:
        """Note whenever a message is stored, and delay workers, until the simulation ends."""
        changed, take, claim = self.world.aws.table.on_change, added_messages.take, runs.claim
        pause, chance = self.world.scheduler.pause, self.world.scheduler.chance

        def slow(*arguments: Any) -> Sequence[added_messages.AddedMessage]:
            before, after = chance.choice(SLOW), chance.choice(SLOW)
            self.world.aws.faults += before + after > 0  # twice in a row, and its run is taken for lost
            pause(before)
            run_key, step_key, *_ = arguments
            self.steps[run_key][self.pulling[self.world.scheduler.current]] = step_key
            found = take(*arguments)
            pause(after)
            return found

        def claimed(*arguments: Any) -> runs.Run | None:
            run = claim(*arguments)
            if run is not None:
                self.attempts[self.world.scheduler.current] = run.attempt
            return run

        def change(made: ItemChange) -> None:
            changed(made)
            if made.event in ("INSERT", "MODIFY") and made.key["sk"]["S"].startswith("ADDED#"):
                self._check_change(made)

        self.world.patches.enter_context(patch.object(self.world.aws.table, "on_change", change))
        self.world.patches.enter_context(patch.object(added_messages, "take", slow))
        self.world.patches.enter_context(patch.object(runs, "claim", claimed))

    def _check_change(self, made: ItemChange) -> None:
        """Check that a message is added to an active run, and taken by the worker that has the run."""
        key, name = made.key["pk"]["S"].removeprefix("RUN#"), made.key["sk"]["S"]
        if made.event == "INSERT" and self._run(key).ended:
            self.world.violated(f"{name} is added to a run that has ended")
        if "taken_by" in made.item and not self._has(key):
            self.world.violated(f"{name} is taken by a worker that has not the run")

    def _run(self, run_key: str) -> runs.Run:
        return next(run for run in self.effects.stored_runs() if run.key == run_key)

    def _has(self, run_key: str) -> bool:
        """Return whether the worker whose turn it is has the run."""
        run = self._run(run_key)
        return not run.ended and run.attempt == self.attempts.get(self.world.scheduler.current)

    def _added(self, run_key: str) -> list[dict[str, Any]]:
        """Return what is stored of a run's messages, in order, without a call."""
        items = (item for item in self.world.aws.table.items if item["pk"]["S"] == f"RUN#{run_key}")
        added = [from_wire(item) for item in items if item["sk"]["S"].startswith("ADDED#")]
        return sorted(added, key=lambda item: item["place"])

    def note_begin(self, run_key: str, number: int, limit: int) -> None:
        """Note what has to be pulled by the first worker that begins a pull, and so by all."""
        self.pulling[self.world.scheduler.current] = number
        before = {name for pull in range(1, number) for name, _ in self.pulled[run_key][pull]}
        waiting = [item["id"] for item in self._added(run_key) if item["id"] not in before]
        self.due[run_key].setdefault(number, waiting[:limit])

    def note_pull(self, run_key: str, number: int, found: list[_Message]) -> None:
        """Check that a worker gets what the others got for the same pull, and what waited when that began.

        What is marked as taken by the pull is no other's. So the worker that has the run got all of it.
        """
        before = self.pulled[run_key].setdefault(number, found)
        if before != found:
            self.world.violated(f"pull {number} got {found}, and {before} before")
        if missing := [name for name in self.due[run_key][number] if name not in dict(found)]:
            self.world.violated(f"pull {number} got {found}, and {missing} waited")
        step = self.steps[run_key][number]
        marked = [item["id"] for item in self._added(run_key) if item.get("taken_by") == step]
        if self._has(run_key) and marked != [name for name, _ in found]:
            self.world.violated(f"pull {number} got {found}, and has taken {marked}")

    def note_accepted(self, run: runs.Run, message: RunMessage, place: int) -> None:
        """Check that a message is accepted once, with one content."""
        before = self.accepted[run.key].setdefault(message.id, (message.content, place))
        if before != (message.content, place):
            self.world.violated(f"{message.id} is accepted as {message.content} at {place}, and was as {before}")

    def check_refused(self, run: runs.Run, message: RunMessage, code: object, reason: str | None) -> None:
        """Check that there is a reason to refuse a message, and that it was not accepted before."""
        known, tried = self.accepted[run.key].get(message.id), self.tried[run.key]
        if known is not None and known[0] == message.content and code not in clients.GIVEN_UP:
            self.world.violated(f"{message.id} was accepted, and is refused with {code} {reason}")
        match code:
            case Code.AGENT_RUN_MESSAGE_CONFLICT:
                is_due = any(name == message.id and content != message.content for name, content in tried)
            case Code.AGENT_RUN_MESSAGE_LIMIT:
                is_due = len(tried) > MAX_ADDED
            case Code.AGENT_RUN_NOT_STEERABLE:
                is_due = self._run(run.key).ended if reason == "ended" else reason == "not_begun"
            case _:
                is_due = code in clients.GIVEN_UP
        if not is_due:
            self.world.violated(f"{message.id} is refused with {code} {reason}")


class _Listener:
    """A runner that pulls messages between its acts, which follow from the run: the same from each worker."""

    def __init__(self, found: _Messages) -> None:
        self._found = found

    async def run(self, context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        """Act, and say what it heard."""
        found = self._found
        key = found.effects.begin(context.run_id)
        plan, pulls = random.Random(key), 0

        def result(values: tuple[str, dict[str, object]]) -> AgentRunResult:
            return AgentRunResult(run_id=context.run_id, type=values[0], data=values[1])

        kinds = plan.choices(tuple(ACTS), tuple(ACTS.values()), k=plan.randint(2, MOST_ACTS))
        for number, kind in enumerate([*kinds, "pull"]):
            limit, pause, seconds = plan.choice(LIMITS), plan.choice(PAUSES), plan.choice(SLEEPS)
            match kind:
                case "pull":
                    pulls += 1
                    found.note_begin(key, pulls, limit)
                    pulled = [(message.id, message.content) for message in await api.steering.pull(limit=limit)]
                    found.note_pull(key, pulls, pulled)
                    yield result(delta(f"heard {' '.join(content for _, content in pulled) or 'nothing'}. "))
                case "pay":
                    await found.effects.step(api, f"{key} pay {number}", f"pay {number}", "keyed")
                case "sleep":
                    await api.sleep(await api.now() + timedelta(seconds=seconds))
                case "say":
                    yield result(completed(f"part {number}"))
                case "pause":
                    await asyncio.sleep(pause)
                case _:
                    raise ValueError("the runner is broken")
        yield result(("run.completed", {}))


def begin(world: World) -> Callable[[], None]:
    """One session with a run or two, and two devices for each."""
    effects, chance = Effects(world), world.scheduler.chance
    found = _Messages(world, effects)
    world.runner = lambda _: _Listener(found)
    plain = stand_in(lambda: world.runner(world))
    capabilities = plain.manifest.capabilities.model_copy(update={"steering": True})
    steered = replace(plain, manifest=plain.manifest.model_copy(update={"capabilities": capabilities}))
    world.patches.enter_context(patch.object(registry, "find", lambda _: steered))
    world.aws.services["s3"] = MemoryBucket()
    if world.aws.rate:  # what happens to workers matters most
        world.aws.rates = {"work": world.aws.rate, "execution": chance.choice((world.aws.rate, 0.25))}
        world.aws.rate /= 4
    settings.turn_seconds = chance.choice(TURNS)
    longer_runs(world)
    effects.watch()
    found.watch()
    thread = str(uuid.uuid4())
    world.scheduler.spawn(f"user of {thread[:4]}", lambda: _use(found, thread))
    return lambda: _check(found)


def _use(found: _Messages, thread: str) -> None:
    for number in range(1, found.world.scheduler.chance.randint(1, RUNS) + 1):
        name = f"run-{number}"
        key = clients.submit(found.world, thread, name, follow_up=number > 1)
        if key is None:
            return
        _disturb(found, next(run for run in found.effects.stored_runs() if run.key == key))
        clients.watch(found.world, thread, name)


def _disturb(found: _Messages, run: runs.Run) -> None:
    """Add messages to a run from two devices, and maybe cancel it, or delete its session."""
    world, scheduler, chance = found.world, found.world.scheduler, found.world.scheduler.chance
    for device in ("phone", "desk"):
        scheduler.spawn(f"{device} of {run.run_id}", lambda device=device: _add_some(found, run, device))  # type: ignore[misc]
    if chance.random() < 0.1:
        scheduler.spawn("stop", lambda: clients.cancel(world, run.thread_id, run.run_id), after=chance.uniform(0, 60))
    if chance.random() < 0.1:
        scheduler.spawn("removal", lambda: clients.delete(world, run.thread_id), after=chance.uniform(5, 100))


def _add_some(found: _Messages, run: runs.Run, device: str) -> None:
    """Add messages: of one device, or the same that the other device adds, now and then with another content.

    Now and then its user stops the run while one is on its way.
    """
    scheduler, chance = found.world.scheduler, found.world.scheduler.chance
    scheduler.pause(chance.choice((0.0, 1.0, 5.0, 20.0)))
    count = chance.choice(MESSAGES)
    last = chance.randint(1, count) if chance.random() < 0.15 else None
    for number in range(1, count + 1):
        if number == last:  # at once with the message: each is decided by what it reads before the other writes
            scheduler.spawn("stop", lambda: clients.cancel(found.world, run.thread_id, run.run_id))
        name = f"m-{number}" if chance.random() < 0.3 else f"{device}-{number}"
        content = f"{name}!" if chance.random() < 0.1 else name
        if not _add(found, run, RunMessage(id=name, content=content)) and chance.random() < 0.7:
            return
        scheduler.pause(chance.choice(BETWEEN))


def _add(found: _Messages, run: runs.Run, message: RunMessage) -> bool:
    """Add a message; the same request is repeated until there is an answer, and now and then after it.

    Returns False if the run takes no more.
    """
    world, chance = found.world, found.world.scheduler.chance
    found.tried[run.key].add((message.id, message.content))
    for _ in range(TRIES):
        try:
            accepted: RunMessageAccepted = world.function(
                f"add {message.id}", lambda: steer_run(clients.USER, run.thread_id, run.run_id, message)
            )
            found.note_accepted(run, message, accepted.place)
            if chance.random() < 0.8:
                return True
        except Problem as problem:
            reason = (problem.params or {}).get("reason")
            found.check_refused(run, message, problem.code, reason)
            if reason != "not_begun":
                return problem.code is Code.AGENT_RUN_MESSAGE_CONFLICT
        except Exception:  # noqa: BLE001, S110 (whatever broke, the device repeats the request)
            pass
        world.scheduler.pause(chance.uniform(0.2, 8))
    return True


def _check(found: _Messages) -> None:
    found.effects.check()
    for run in stored_runs():
        stored = added_messages.read_all(run.key)
        names = [message.id for message in stored]
        if [message.place for message in stored] != [*range(1, len(stored) + 1)] or len(stored) > MAX_ADDED:
            found.world.violated(f"{run.run_id} has messages at {[message.place for message in stored]}")
        if (run.added or 0) != len(stored) or len({*names}) != len(names):
            found.world.violated(f"{run.run_id} counts {run.added} messages, and has {names}")
        kept = {message.id: (message.content, message.place) for message in stored}
        if found.accepted[run.key].items() - kept.items():
            found.world.violated(f"{run.run_id} has {kept}, and accepted {found.accepted[run.key]}")
        _check_pulled(found, run, names)
        _check_shown(found, run, names)
    for thread in {run.thread_id for run in stored_runs()}:
        _check_history(found.world, thread)


def _check_pulled(found: _Messages, run: runs.Run, names: list[str]) -> None:
    """Check that each message is pulled once, in order, and none is passed over; the viewers saw them so."""
    pulled = [name for _, messages in sorted(found.pulled[run.key].items()) for name, _ in messages]
    if pulled != names[: len(pulled)]:
        found.world.violated(f"{run.run_id} pulled {pulled} of {names}")
    shown = [value["id"] for value in _customs(run, MESSAGE_TAKEN)]
    both = min(len(shown), len(pulled))  # whichever a worker that was cut off did not come to
    if shown[:both] != pulled[:both] or (run.phase == "finished" and len(shown) < len(pulled)):
        found.world.violated(f"{run.run_id} pulled {pulled}, and shows {shown}")


def _check_shown(found: _Messages, run: runs.Run, names: list[str]) -> None:
    """Check that whoever watched a run knows what became of each message."""
    taken = [value["id"] for value in _customs(run, MESSAGE_TAKEN)]
    unread = [name for value in _customs(run, MESSAGES_UNREAD) for name in value["ids"]]
    if [*taken, *unread] != names:
        found.world.violated(f"{run.run_id} has {names}, of which {taken} are taken and {unread} unread")


def _customs(run: runs.Run, name: str) -> list[dict[str, Any]]:
    return [event.value for event in events_of(run.key) if isinstance(event, Custom) and event.name == name]


def _check_history(world: World, thread: str) -> None:
    """Check that the history has what was accepted, in order."""
    session = sessions.must_read(thread)
    if session.deleted_at is not None:
        return
    history = json.loads(to_json(get_history.whole_session(thread, clients.USER)))["messages"]
    shown = [(message["id"], message["content"]) for message in history if message["role"] == "user"]
    for run in stored_runs():
        stored = [(message.id, message.content) for message in added_messages.read_all(run.key)]
        place = next((number for number, (name, _) in enumerate(shown) if name == f"msg-{run.run_id}"), None)
        if place is None or shown[place + 1 : place + 1 + len(stored)] != stored:
            world.violated(f"the history has {shown}, and {run.run_id} had {stored}")
