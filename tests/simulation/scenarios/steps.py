"""Sessions whose agent has effects outside, side by side and in turns, while workers die or go on though replaced."""

import asyncio
import json
import random
import uuid
from collections import defaultdict
from collections.abc import AsyncGenerator, Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Final
from unittest.mock import patch

from tests.simulation import clients
from tests.simulation.rules import messages_of, stored_runs
from tests.simulation.world import BEGINNING, PAUSES, World
from tests.support.memory_aws.aws import MemoryBucket
from tests.support.runners.scripted import delta
from yarrow.agents.bindings import deployed
from yarrow.agents.grants import RunGrant
from yarrow.protocol.runner.models import AgentRunContext, AgentRunResult
from yarrow.protocol.runner.proxy import AgentRunAPIProxy, StepFailedError
from yarrow.protocol.runner.vocabulary import Retry
from yarrow.services.api.state import space
from yarrow.services.steps.step_log import key_of
from yarrow.settings import settings
from yarrow.store.runner import grants, persistent_state
from yarrow.store.runner import steps as stored_steps
from yarrow.store.runner.steps import Step
from yarrow.store.table import from_wire

RUNS: Final = 2
MOST_ACTS: Final = 9
MINUTES: Final = 40
TURNS: Final = (30.0, 90.0, 800.0)
"""Seconds of a turn."""
SLEEPS: Final = (5.0, 45.0, 200.0)
SLOW: Final = (0.0, 0.0, 0.3, 4.0, 40.0)
"""Seconds that effects take."""
CLOCKS: Final = 65.0
"""Seconds by which two clocks may differ, and the time that rounding takes."""
COUNT: Final = "count"


@dataclass
class _Outside:
    """What effects there were. A label is a run's act, `KEY pay 2`; a key stands for one effect."""

    world: World
    keys: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    """The key of each time that an effect was made, by label."""
    answers: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """What workers were told of an act, by label."""
    stories: dict[str, list[str]] = field(default_factory=dict)
    """The labels of all acts of a run, in the order of its words."""
    known: dict[object, frozenset[str]] = field(default_factory=dict)
    """Keys of steps that had ended when a worker read what earlier ones did, by worker."""

    def read_all(self, run_key: str, *, consistent: bool = True) -> Iterator[Step]:
        """Note what had ended; then read as the product does."""
        items = (from_wire(item) for item in self.world.aws.table.items)
        ended = (item for item in items if item["pk"] == f"RUN#{run_key}" and "ms" in item)
        keys = frozenset(key_of(run_key, item["sk"].removeprefix("STEP#")) for item in ended)
        self.known[self.world.scheduler.current] = keys
        return _read_all(run_key, consistent=consistent)

    async def make(self, label: str, retry: Retry, key: str) -> str:
        """Have an effect, some time; it may fail. Raises ValueError."""
        world, chance = self.world, self.world.scheduler.chance
        if key in self.known.get(world.scheduler.current, ()):
            world.violated(f"{label} had ended, and is made again")
        self.keys[label].append(key)
        if retry == "never" and len(self.keys[label]) > 1:
            world.violated(f"{label} must not be made again")
        await asyncio.sleep(chance.choice(SLOW))
        if chance.random() < 0.1:
            raise ValueError(f"no {len(self.keys[label])}")
        return f"yes {len(self.keys[label])}"

    def answered(self, label: str, answer: object) -> str:
        """Note what a worker was told; its words."""
        self.answers[label].add(str(answer))
        return f"{label.partition(' ')[2]}: {answer}. "


_read_all: Final = stored_steps.read_all


class _Stepper:
    """A runner whose acts follow from the run: the same from each worker."""

    def __init__(self, outside: _Outside) -> None:
        self._outside = outside

    async def run(self, context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        """Act, and say what came of it."""
        plan, label = random.Random(context.run_id), context.run_id
        story = self._outside.stories[label] = []
        for number in range(plan.randint(1, MOST_ACTS)):
            kind = plan.choices(("pay", "both", "never", COUNT, "value", "sleep", "pause"), (4, 3, 1, 3, 2, 1, 2))[0]
            name = f"{label} {kind} {number}"
            if kind == "pause":
                await asyncio.sleep(plan.choice(PAUSES))
                continue
            for each, answer in await self._act(api, kind, name, plan):
                story.append(each)
                text = self._outside.answered(each, answer)
                type_, data = delta(text)
                yield AgentRunResult(run_id=context.run_id, type=type_, data=data)
        yield AgentRunResult(run_id=context.run_id, type="run.completed", data={})

    async def _act(self, api: AgentRunAPIProxy, kind: str, name: str, plan: random.Random) -> list[tuple[str, object]]:
        match kind:
            case "pay":
                return [await self._step(api, name, "pay", "keyed")]
            case "never":
                return [await self._step(api, name, "once", "never")]
            case "both":
                retry: Retry = plan.choice(("safe", "keyed"))
                steps = (self._step(api, f"{name} {side}", f"{name[-1]} {side}", retry) for side in "ab")
                return list(await asyncio.gather(*steps))
            case "count":
                count = (await api.state.get("conversation", name) or 0) + 1
                await api.state.set("conversation", name, count)
                return [(name, count)]
            case "value":
                return [(name, f"{await api.now()} {await api.random()} {await api.uuid()}")]
            case _:
                return [(name, await self._sleep(api, name, plan.choice(SLEEPS)))]

    async def _step(self, api: AgentRunAPIProxy, label: str, name: str, retry: Retry) -> tuple[str, object]:
        async def effect(key: str) -> str:
            return await self._outside.make(label, retry, key)

        try:
            return label, await api.step(name, effect, retry=retry)
        except StepFailedError as error:
            return label, error

    async def _sleep(self, api: AgentRunAPIProxy, name: str, seconds: float) -> str:
        until = await api.now() + timedelta(seconds=seconds)
        await api.sleep(until)
        now = BEGINNING.timestamp() + self._outside.world.scheduler.now
        if now < until.timestamp() - CLOCKS:
            self._outside.world.violated(f"{name} woke {until.timestamp() - now:.0f} s early")
        return until.isoformat()


def begin(world: World) -> Callable[[], None]:
    """One or two sessions, with runs of many turns."""
    outside, chance = _Outside(world), world.scheduler.chance
    world.runner = lambda _: _Stepper(outside)
    world.aws.services["s3"] = MemoryBucket()
    if world.aws.rate:  # what happens to workers matters here, and viewers make most of the calls
        world.aws.rates = {"work": world.aws.rate, "execution": chance.choice((world.aws.rate, 0.5))}
        world.aws.rate /= 4
    settings.turn_seconds = chance.choice(TURNS)
    longer = {
        name: replace(binding, descriptor=replace(binding.descriptor, max_minutes=MINUTES))
        for name, binding in deployed().items()
    }
    world.patches.enter_context(patch.dict(deployed(), longer))
    world.patches.enter_context(patch.object(stored_steps, "read_all", outside.read_all))
    for _ in range(chance.choice((1, 1, 2))):
        thread = str(uuid.uuid4())
        world.scheduler.spawn(f"user of {thread[:4]}", lambda thread=thread: _use(world, thread))  # type: ignore[misc]
    return lambda: _check(world, outside)


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


def _check(world: World, outside: _Outside) -> None:
    for label, keys in outside.keys.items():
        if len({*keys}) > 1:
            world.violated(f"{label} has {len({*keys})} keys")
    for label, answers in outside.answers.items():
        if len(answers) > 1:
            world.violated(f"workers were told {answers} of {label}")
    for run in stored_runs():
        _check_stored(world, outside, run.key)
        story = outside.stories.get(run.key, [])
        if run.phase != "finished":
            continue
        told = [outside.answered(label, next(iter(outside.answers[label]))) for label in story]
        if list(messages_of(run.key).values()) != (["".join(told)] if told else []):
            world.violated(f"{run.run_id} tells {list(messages_of(run.key).values())}, not {told}")
        _check_counts(world, run.key, story)
        again = [label for label in story if len(outside.keys[label]) > 1]
        if again and not world.aws.faults:
            world.violated(f"{again} were made again though nothing failed")


def _check_stored(world: World, outside: _Outside, run_key: str) -> None:
    """What is stored of a step is what workers were told."""
    labels = {key: label for label, keys in outside.keys.items() for key in keys}
    for step in _read_all(run_key):
        label = labels.get(key_of(run_key, step.id))
        told = outside.answers.get(label or "")
        if label is not None and told and step.has_ended:
            value = json.loads(step.result or "{}")
            if value.get("value", value.get("error")) not in told:
                world.violated(f"{value} is stored of {label}, and {told} was told")


def _check_counts(world: World, run_key: str, story: list[str]) -> None:
    """What a run counts, it counts once."""
    stored = grants.read(run_key)
    if stored is None:
        return
    conversation = space(RunGrant.model_validate_json(stored.grant_json), "conversation")
    for label in story:
        if f" {COUNT} " in label and (count := persistent_state.get(conversation, label)) != 1:
            world.violated(f"{label} is {count}")
