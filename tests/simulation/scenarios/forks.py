"""Runs that are repeated from a step on: while they go on, twice at once, forks of forks, and as their session goes."""

import asyncio
import random
import uuid
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final
from unittest.mock import patch

from local.dynamodb.table import ItemChange
from tests.simulation import clients
from tests.simulation.effects import COUNT, SIZES, Effects, count
from tests.simulation.rules import messages_of, stored_runs
from tests.simulation.scenarios.steps import longer_runs
from tests.simulation.scheduler import Actor
from tests.simulation.world import PAUSES, World
from tests.support.memory_aws.aws import MemoryBucket
from tests.support.runners.scripted import delta
from yarrow.agents.grants import RunGrant
from yarrow.protocol.caller import Caller
from yarrow.protocol.fork_request import ForkRequest
from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.runner.models import AgentRunContext, AgentRunResult
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.protocol.steps import StepList
from yarrow.runs.fork_run import fork_run
from yarrow.runs.list_steps import list_steps
from yarrow.runs.submit_run import TaskAccepted
from yarrow.services.api.state import space
from yarrow.services.steps.step_log import key_of
from yarrow.settings import settings
from yarrow.store import runs
from yarrow.store.runner import grants, persistent_state, steps
from yarrow.store.runner.steps import Step
from yarrow.store.table import from_wire

MOST_ACTS: Final = 8
MOST_FORKS: Final = 3
TRIES: Final = 30
TURNS: Final = (30.0, 90.0, 800.0)
"""Seconds of a turn."""
SLEEPS: Final = (5.0, 45.0)
REFUSED: Final = frozenset(
    {Code.AGENT_RUN_NOT_FORKABLE, Code.AGENT_STEP_NOT_FOUND, Code.AGENT_RUN_CONFLICT, *clients.GIVEN_UP}
)
"""With these the same request is refused again."""
FAILED: Final = frozenset({"RUN_FAILED", "RUN_LOST", "RUN_TIMEOUT"})
_INVALID: Final = 422


@dataclass
class _Forks:
    """What is known of forks. `wanted` are the requests by the key of the run that they made."""

    world: World
    effects: Effects
    diverges_at: int | None
    """The number of the act from which on forks do something else, as by another prompt."""
    wanted: dict[str, ForkRequest] = field(default_factory=dict)
    given: dict[str, dict[str, Step]] = field(default_factory=dict)
    """Steps that answer in a fork, by its key and their id: a worker of the other run may end more of them later."""
    workers: dict[Actor | None, str] = field(default_factory=dict)
    """The forks that workers have."""

    def watch(self) -> None:
        """Note who repeats a run and who writes to it, until the simulation ends."""
        changed, claim = self.world.aws.table.on_change, runs.claim

        def claimed(run_key: str, turn: int = 0) -> runs.Run | None:
            self._begin(run_key)
            return claim(run_key, turn)

        def change(made: ItemChange) -> None:
            changed(made)
            self._check_writer(made.key["pk"]["S"], made.key["sk"]["S"])
            if made.event == "INSERT" and made.key["sk"]["S"] == "RUN":
                self._check_new(runs.stored(from_wire(made.item)))

        self.world.patches.enter_context(patch.object(self.world.aws.table, "on_change", change))
        self.world.patches.enter_context(patch.object(runs, "claim", claimed))

    def _check_new(self, run: runs.Run) -> None:
        """Check that a run that is repeated has ended, and is no fork."""
        source = next((other for other in stored(self.world) if run.fork and other.key == run.fork.run_key), None)
        if source is not None and (source.fork is not None or not source.ended):
            self.world.violated(f"{run.run_id} repeats {source.run_id}, which is {source.phase}")

    def _check_writer(self, pk: str, sk: str) -> None:
        """Check that nobody who repeats a run that has ended writes to it, or to its session."""
        actor = self.world.scheduler.current
        fork = next((run for run in stored(self.world) if run.key == self.workers.get(actor)), None)
        if fork is None or fork.fork is None:
            return
        if pk in (f"RUN#{fork.fork.run_key}", f"SESSION#{fork.fork.thread_id}"):
            self.world.violated(f"{fork.run_id} writes {sk} of the run that it repeats")

    def _begin(self, run_key: str) -> None:
        """Note what answers in a fork, before its first worker reads it."""
        run = next(run for run in stored(self.world) if run.key == run_key)
        if run.fork is None:
            return
        self.workers[self.world.scheduler.current] = run_key
        if run_key not in self.given:
            ordered = steps.in_order(self.effects.steps_of(run.fork.run_key))
            place = [step.id for step in ordered].index(run.fork.step_id)
            self.given[run_key] = {step.id: step for step in ordered[:place] if step.has_ended}

    def check_made(self, run_key: str, key: str, label: str) -> None:
        """Check that an effect of a fork is of no step that answers from the store."""
        if key in {key_of(run_key, step_id) for step_id in self.given.get(run_key, ())}:
            self.world.violated(f"{label} answers from the store, and is made again")


def stored(world: World) -> list[runs.Run]:
    """Return all runs without a call of AWS."""
    return Effects(world).stored_runs()


class _Repeater:
    """A runner whose acts are the same in each run, but for a fork's from some act on."""

    def __init__(self, forks: _Forks) -> None:
        self._forks, self._effects = forks, forks.effects

    async def run(self, context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        """Act, and say what came of it."""
        forks, effects = self._forks, self._effects
        log = effects.begin(context.run_id)
        plan = random.Random(forks.world.seed)
        is_fork, story = context.run_id in forks.given, list[str]()
        for number in range(plan.randint(2, MOST_ACTS)):
            kind = plan.choices(("pay", "both", COUNT, "value", "sleep", "pause"), (5, 3, 3, 2, 1, 2))[0]
            pause, size, seconds = plan.choice(PAUSES), plan.choice(SIZES), plan.choice(SLEEPS)
            other = "!" if is_fork and forks.diverges_at is not None and number >= forks.diverges_at else ""
            name = f"{kind} {number}{other}"
            if kind == "pause":
                await asyncio.sleep(pause)
                continue
            for act, answer in await self._act(api, kind, log, name, size, seconds):
                story.append(act)
                type_, data = delta(effects.answered(act, answer))
                yield AgentRunResult(run_id=context.run_id, type=type_, data=data)
        effects.stories[log] = story
        yield AgentRunResult(run_id=context.run_id, type="run.completed", data={})

    async def _act(
        self, api: AgentRunAPIProxy, kind: str, log: str, name: str, size: int, seconds: float
    ) -> list[tuple[str, object]]:
        label = f"{log} {name}"
        match kind:
            case "pay":
                return [await self._effects.step(api, label, name, "keyed", size)]
            case "both":
                both = (self._effects.step(api, f"{label} {side}", f"{name} {side}", "safe", size) for side in "ab")
                return list(await asyncio.gather(*both))
            case "count":
                _, number = await count(api, name)
                return [(label, number)]
            case "value":
                return [(label, f"{await api.now()} {await api.random()} {await api.uuid()}")]
            case _:
                until = await api.now() + timedelta(seconds=seconds)
                await api.sleep(until)
                return [(label, until.isoformat())]


def begin(world: World) -> Callable[[], None]:
    """A session with a run or two, which are forked."""
    effects, chance = Effects(world), world.scheduler.chance
    forks = _Forks(world, effects, chance.choice((None, None, 1, 3)))
    effects.made = lambda label, key: forks.check_made(label.partition(" ")[0], key, label)
    world.runner = lambda _: _Repeater(forks)
    world.aws.services["s3"] = MemoryBucket()
    if world.aws.rate:
        world.aws.rates = {"work": world.aws.rate, "execution": chance.choice((world.aws.rate, 0.4))}
        world.aws.rate /= 4
    settings.turn_seconds = chance.choice(TURNS)
    settings.runs_per_user = 20
    longer_runs(world)
    effects.watch()
    forks.watch()
    thread = str(uuid.uuid4())
    world.scheduler.spawn(f"user of {thread[:4]}", lambda: _use(forks, thread))
    return lambda: _check(forks)


def _use(forks: _Forks, thread: str) -> None:
    world, scheduler, chance = forks.world, forks.world.scheduler, forks.world.scheduler.chance
    if clients.submit(world, thread, "run-1", follow_up=False) is None:
        return
    if chance.random() < 0.2:
        scheduler.spawn("stop", lambda: clients.cancel(world, thread, "run-1"), after=chance.uniform(0, 60))
    if chance.random() < 0.25:
        scheduler.spawn("removal", lambda: clients.delete(world, thread), after=chance.uniform(5, 200))
    if chance.random() < 0.5:  # else it is forked while it goes on
        clients.watch(world, thread, "run-1")
    else:
        scheduler.pause(chance.uniform(0.5, 20))
    for number in range(1, chance.randint(1, MOST_FORKS) + 1):
        _repeat(forks, thread, "run-1", number)
        scheduler.pause(chance.choice((0.0, 0.0, 3.0, 30.0)))


def _repeat(forks: _Forks, thread: str, run: str, number: int) -> None:
    """Fork a run at one of its steps, once or on two devices, and maybe the fork."""
    world, scheduler, chance = forks.world, forks.world.scheduler, forks.world.scheduler.chance
    if (listed := _listed(world, thread, run)) is None or not listed.steps:
        return
    new = ForkRequest(thread_id=str(uuid.uuid4()), run_id=f"fork-{number}", step=chance.choice(listed.steps).id)
    keys: list[str | Code] = []
    requests = [new]
    if chance.random() < 0.4:  # from a second try that the first one does not wait for, or of another step
        step = new.step if chance.random() < 0.6 else chance.choice(listed.steps).id
        requests.append(ForkRequest(thread_id=new.thread_id, run_id=new.run_id, step=step))

    def ask(request: ForkRequest) -> None:
        key = _fork(forks, thread, run, request)
        if key is not None:
            keys.append(key)

    actors = [scheduler.spawn(f"device of {new.run_id}", lambda request=request: ask(request)) for request in requests]  # type: ignore[misc]
    for actor in actors:
        scheduler.join(actor, 3_000)
    if len(made := {key for key in keys if isinstance(key, str)}) > 1:
        world.violated(f"{new.run_id} is {len(made)} runs")
    if not made:
        return
    if chance.random() < 0.15:
        scheduler.spawn("stop", lambda: clients.cancel(world, new.thread_id, new.run_id), after=chance.uniform(0, 60))
    clients.watch(world, new.thread_id, new.run_id)
    if chance.random() < 0.5:
        _refork(forks, new)


def _refork(forks: _Forks, of: ForkRequest) -> None:
    """Try to fork a fork: its steps are in two logs."""
    world = forks.world
    listed = _listed(world, of.thread_id, of.run_id)
    if listed is None or not listed.steps or listed.not_forkable == "active":
        return
    if listed.not_forkable != "continues":
        world.violated(f"the steps of {of.run_id} say {listed.not_forkable}")
    again = ForkRequest(thread_id=str(uuid.uuid4()), run_id=f"{of.run_id}-again", step=listed.steps[0].id)
    if isinstance(_fork(forks, of.thread_id, of.run_id, again), str):
        world.violated(f"{of.run_id}, a fork, is forked")


def _listed(world: World, thread: str, run: str) -> StepList | None:
    """The steps of a run, once it has any; None if nobody says."""
    for _ in range(TRIES):
        try:
            listed: StepList = world.function("steps", lambda: list_steps(clients.USER, thread, run))
            if listed.steps or listed.not_forkable != "active":
                return listed
        except Problem as problem:
            if problem.code in clients.GIVEN_UP:
                return None
        except Exception:  # noqa: BLE001, S110 (whatever broke, the page asks again)
            pass
        world.scheduler.pause(world.scheduler.chance.uniform(0.5, 8))
    return None


def _fork(forks: _Forks, thread: str, run: str, request: ForkRequest) -> str | Code | None:
    """The key of the fork, or the code with which it is refused; the same request is repeated until one is told."""
    world, keys = forks.world, set[str]()
    for _ in range(TRIES):
        try:
            accepted: TaskAccepted = world.function(
                f"fork {request.run_id}", lambda: fork_run(Caller(clients.USER), thread, run, request)
            )
            keys.add(accepted.task_id)
            forks.wanted[accepted.task_id] = request
            if world.scheduler.chance.random() < 0.8:
                break
        except Problem as problem:
            if problem.code in REFUSED and isinstance(problem.code, Code):
                return next(iter(keys), problem.code)
            if problem.status == _INVALID:
                world.violated(f"{request.run_id} is refused: {problem}")
        except Exception:  # noqa: BLE001, S110 (the function failed: a page repeats the request)
            pass
        world.scheduler.pause(world.scheduler.chance.uniform(0.5, 30))
    if len(keys) > 1:
        world.violated(f"{request.run_id} is {len(keys)} runs")
    return next(iter(keys), None)


def _check(forks: _Forks) -> None:
    world, effects = forks.world, forks.effects
    effects.check()
    by_key = {run.key: run for run in stored_runs()}
    for run in by_key.values():
        effects.check_stored(run.key)
        if run.phase == "finished":
            words = effects.words(run.key)
            if list(messages_of(run.key).values()) != (["".join(words)] if words else []):
                world.violated(f"{run.run_id} has {list(messages_of(run.key).values())}, not {words}")
        if run.fork is None:
            continue
        source = by_key[run.fork.run_key]
        if run.key not in forks.wanted and not world.aws.faults:
            world.violated(f"{run.run_id} is nobody's")
        _check_fork(forks, run, source)


def _check_fork(forks: _Forks, run: runs.Run, source: runs.Run) -> None:
    """Check that what came before the step is as in the run that is repeated, and that the rest is the fork's own."""
    world, effects = forks.world, forks.effects
    given = forks.given.get(run.key, {})
    if given.keys() & {step.id for step in effects.steps_of(run.key)}:
        world.violated(f"{run.run_id} has steps of its own that were given to it")
    ids = {key_of(source.key, step_id): step_id for step_id in given}
    for label in list(effects.keys):
        log, _, act = label.partition(" ")
        if log != source.key or not any(key in ids for key in effects.keys[label]):
            continue
        got, there = effects.answers.get(f"{run.key} {act}", set()), effects.answers.get(label)
        if there and not got <= there:
            world.violated(f"{run.run_id} got {got} for {act}, and {source.run_id} {there}")
    if run.phase == "finished" and (stored_grant := grants.read(run.key)) is not None:
        conversation = space(RunGrant.model_validate_json(stored_grant.grant_json), "conversation")
        own = {step.name for step in effects.steps_of(run.key)}
        for label in effects.stories.get(run.key, []):
            act = label.partition(" ")[2]
            if act.startswith(COUNT):
                expected = 1 if act in own else None
                if (number := persistent_state.get(conversation, act)) != expected:
                    world.violated(f"{run.run_id} has counted {act} to {number}, not {expected}")
