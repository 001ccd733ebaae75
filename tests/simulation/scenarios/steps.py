"""Sessions whose agent has effects outside, side by side and in turns, while workers die or go on though replaced."""

import asyncio
import random
import uuid
from collections.abc import AsyncGenerator, Callable
from dataclasses import replace
from datetime import timedelta
from typing import Final
from unittest.mock import patch

from tests.simulation import clients
from tests.simulation.effects import COUNT, SIZES, Effects, count
from tests.simulation.rules import messages_of, stored_runs
from tests.simulation.world import BEGINNING, PAUSES, World
from tests.support.memory_aws.aws import MemoryBucket
from tests.support.runners.scripted import delta, stand_in
from yarrow.agents.bindings import deployed
from yarrow.protocol.runner.models import AgentRunContext, AgentRunResult
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.protocol.runner.vocabulary import Retry
from yarrow.settings import settings
from yarrow.worker.invocation.registry import registry

RUNS: Final = 2
MOST_ACTS: Final = 9
MINUTES: Final = 40
TURNS: Final = (30.0, 90.0, 800.0)
"""Seconds of a turn."""
SLEEPS: Final = (5.0, 45.0, 200.0)
CLOCKS: Final = 65.0
"""Seconds by which two clocks may differ, and the time that rounding takes."""


class _Stepper:
    """A runner whose acts follow from the run: the same from each worker."""

    def __init__(self, effects: Effects) -> None:
        self._effects = effects

    async def run(self, context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        """Act, and say what came of it."""
        label = self._effects.begin(context.run_id)
        plan = random.Random(label)
        story: list[str] = []
        for number in range(plan.randint(1, MOST_ACTS)):
            kind = plan.choices(("pay", "both", "never", COUNT, "value", "sleep", "pause"), (4, 3, 1, 3, 2, 1, 2))[0]
            name = f"{label} {kind} {number}"
            if kind == "pause":
                await asyncio.sleep(plan.choice(PAUSES))
                continue
            for act, answer in await self._act(api, kind, name, plan):
                story.append(act)
                text = self._effects.answered(act, answer)
                type_, data = delta(text)
                yield AgentRunResult(run_id=context.run_id, type=type_, data=data)
        self._effects.stories[label] = story  # whole: a worker that was replaced may begin after the run has ended
        yield AgentRunResult(run_id=context.run_id, type="run.completed", data={})

    async def _act(self, api: AgentRunAPIProxy, kind: str, name: str, plan: random.Random) -> list[tuple[str, object]]:
        match kind:
            case "pay":
                return [await self._effects.step(api, name, "pay", "keyed", plan.choice(SIZES))]
            case "never":
                return [await self._effects.step(api, name, "once", "never")]
            case "both":
                retry: Retry = plan.choice(("safe", "keyed"))
                steps = (self._effects.step(api, f"{name} {side}", f"{name[-1]} {side}", retry) for side in "ab")
                return list(await asyncio.gather(*steps))
            case "count":
                return [await count(api, name)]
            case "value":
                return [(name, f"{await api.now()} {await api.random()} {await api.uuid()}")]
            case _:
                return [(name, await self._sleep(api, name, plan.choice(SLEEPS)))]

    async def _sleep(self, api: AgentRunAPIProxy, name: str, seconds: float) -> str:
        until = await api.now() + timedelta(seconds=seconds)
        await api.sleep(until)
        now = BEGINNING.timestamp() + self._effects.world.scheduler.now
        if now < until.timestamp() - CLOCKS:
            self._effects.world.violated(f"{name} woke {until.timestamp() - now:.0f} s early")
        return until.isoformat()


def begin(world: World) -> Callable[[], None]:
    """One or two sessions, with runs of many turns."""
    effects, chance = Effects(world), world.scheduler.chance
    world.runner = lambda _: _Stepper(effects)
    # Where the outcome of a step is unknown, its runs end: users who are asked are in the tests of the worker.
    remote = replace(stand_in(lambda: world.runner(world)), is_remote=True)
    world.patches.enter_context(patch.object(registry, "find", lambda _: remote))
    world.aws.services["s3"] = MemoryBucket()
    if world.aws.rate:  # what happens to workers matters here, and viewers make most of the calls
        world.aws.rates = {"work": world.aws.rate, "execution": chance.choice((world.aws.rate, 0.5))}
        world.aws.rate /= 4
    settings.turn_seconds = chance.choice(TURNS)
    longer_runs(world)
    effects.watch()
    for _ in range(chance.choice((1, 1, 2))):
        thread = str(uuid.uuid4())
        world.scheduler.spawn(f"user of {thread[:4]}", lambda thread=thread: _use(world, thread))  # type: ignore[misc]
    return lambda: _check(world, effects)


def _use(world: World, thread: str) -> None:
    scheduler, chance = world.scheduler, world.scheduler.chance
    for number in range(1, chance.randint(1, RUNS) + 1):
        run = f"run-{number}"
        if clients.submit(world, thread, run, follow_up=number > 1) is None:
            return
        if chance.random() < 0.15:
            scheduler.spawn(
                "stop",
                lambda run=run: clients.cancel(world, thread, run),  # type: ignore[misc]
                after=chance.uniform(0, 120),
            )
        clients.watch(world, thread, run)


def longer_runs(world: World) -> None:
    """Let runs last long enough for several turns."""
    longer = {
        name: replace(binding, descriptor=replace(binding.descriptor, max_minutes=MINUTES))
        for name, binding in deployed().items()
    }
    world.patches.enter_context(patch.dict(deployed(), longer))


def _check(world: World, effects: Effects) -> None:
    effects.check()
    for run in stored_runs():
        effects.check_stored(run.key)
        story = effects.stories.get(run.key, [])
        if run.phase != "finished":
            continue
        words = effects.words(run.key)
        if list(messages_of(run.key).values()) != (["".join(words)] if words else []):
            world.violated(f"{run.run_id} has {list(messages_of(run.key).values())}, not {words}")
        effects.check_counts(run.key, story)
        again = [label for label in story if len(effects.keys[label]) > 1]
        if again and not world.aws.faults:
            world.violated(f"{again} were made again though nothing failed")
