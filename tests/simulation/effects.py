"""What runners of a simulation do outside, by run: an effect has one key, and a finished step is not made again."""

import asyncio
import json
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final
from unittest.mock import patch

from local.dynamodb.table import ItemChange
from tests.simulation.world import World
from yarrow.agents.grants import RunGrant
from yarrow.protocol.runner.proxy import AgentRunAPIProxy, StepFailedError
from yarrow.protocol.runner.vocabulary import Retry
from yarrow.services.api.state import space
from yarrow.services.steps.step_log import SETTLE, key_of
from yarrow.store import runs
from yarrow.store.items.records import Codec
from yarrow.store.runner import grants, persistent_state
from yarrow.store.runner import steps as stored_steps
from yarrow.store.table import Item, from_wire

SLOW: Final = (0.0, 0.0, 0.3, 4.0, 40.0)
"""Seconds that effects take."""
SIZES: Final = (0, 0, 0, 40_000)
"""Least characters of results; large ones are in the bucket."""
COUNT: Final = "count"

_claim: Final = runs.claim
_forget: Final = stored_steps.forget
_STEPS: Final = Codec(stored_steps.Step)


@dataclass
class Effects:
    """What effects there were. A label is an act, `LOG pay 2`, of the runs of a step log; a key is of one effect."""

    world: World
    keys: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    """The key of each time that an effect was made, by label."""
    answers: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """What workers got for an act, by label."""
    stories: dict[str, list[str]] = field(default_factory=dict)
    """The labels of all acts of a log, in the order of its words, once a worker has come to the end."""
    known: dict[object, frozenset[str]] = field(default_factory=dict)
    """Keys of steps that had ended when a worker claimed its run, by worker."""

    repeated: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """When steps began that were forgotten since, because the user said so, by key."""

    made: Callable[[str, str], None] | None = None
    """What else is checked of an effect as it is made, by its label and key."""

    doubtful: dict[object, frozenset[str]] = field(default_factory=dict)
    """Keys of steps that must not be made again and had begun then, by worker."""

    def watch(self) -> None:
        """Note how steps are whenever a worker begins, and who begins steps, until the simulation ends."""
        self.world.patches.enter_context(patch.object(runs, "claim", self._claim))
        changed = self.world.aws.table.on_change

        def change(made: ItemChange) -> None:
            changed(made)
            key, item = made.key["sk"]["S"], made.item
            if made.event == "INSERT" and key.startswith("STEP#") and item is not None and "ms" not in item:
                self._check_holder(made.key["pk"]["S"].removeprefix("RUN#"), from_wire(item))

        self.world.patches.enter_context(patch.object(self.world.aws.table, "on_change", change))
        self.world.patches.enter_context(patch.object(stored_steps, "forget", self._forget))

    def _forget(self, log: str, step: stored_steps.Step) -> None:
        if not any(one.action == SETTLE and '"repeat"' in (one.result or "") for one in self.steps_of(log)):
            self.world.violated("a step is forgotten, and the user did not say so")
        self.repeated[key_of(log, step.id)].add(step.started_at)
        _forget(log, step)

    def _check_holder(self, log: str, step: Item) -> None:
        """Check that the worker that begins a step has the run."""
        holders = [run for run in self.stored_runs() if run.log_key == log and not run.ended]
        if [run.attempt for run in holders] != [step["attempt"]]:
            self.world.violated("a worker that has not the run begins a step")

    def _claim(self, run_key: str, turn: int = 0) -> runs.Run | None:
        log, worker = self.log_of(run_key), self.world.scheduler.current
        found = self.steps_of(log)
        self.known[worker] = frozenset(key_of(log, step.id) for step in found if step.has_ended)
        self.doubtful[worker] = frozenset(key_of(log, step.id) for step in found if step.is_in_doubt)
        return _claim(run_key, turn)

    def begin(self, run_key: str) -> str:
        """Note that a worker runs an agent that asks nobody; returns the key of the run's log."""
        log = self.log_of(run_key)
        doubtful = {key_of(log, step.id) for step in self.steps_of(log) if step.is_in_doubt}
        if doubtful & self.doubtful.get(self.world.scheduler.current, frozenset()):
            self.world.violated("an agent is run again though nobody knows what became of a step")
        return log

    def log_of(self, run_key: str) -> str:
        """Return the key of the first run that a run continues, or its own."""
        return next(run.log_key for run in self.stored_runs() if run.key == run_key)

    def stored_runs(self) -> list[runs.Run]:
        """Return what is stored of runs, without a call."""
        found = (item for item in self.world.aws.table.items if item["sk"]["S"] == "RUN")
        return [runs.stored(from_wire(item)) for item in found]

    def steps_of(self, log: str) -> list[stored_steps.Step]:
        """Return the steps of a log, without a call; results in the bucket are not loaded."""
        items = (item for item in self.world.aws.table.items if item["pk"]["S"] == f"RUN#{log}")
        return [_STEPS.record(from_wire(item)) for item in items if item["sk"]["S"].startswith("STEP#")]

    async def step(
        self, api: AgentRunAPIProxy, label: str, name: str, retry: Retry, size: int = 0
    ) -> tuple[str, object]:
        """Have an effect in a step; returns the label and what came of it."""

        async def effect(key: str) -> str:
            return (await self._make(label, retry, key)).ljust(size)

        try:
            return label, (await api.step(name, effect, retry=retry)).rstrip()
        except StepFailedError as error:
            return label, error

    async def _make(self, label: str, retry: Retry, key: str) -> str:
        """Have an effect, some time; it may fail. Raises ValueError."""
        world, chance = self.world, self.world.scheduler.chance
        if key in self.known.get(world.scheduler.current, ()):
            world.violated(f"{label} had ended, and is made again")
        if self.made is not None:
            self.made(label, key)
        self.keys[label].append(key)
        if retry == "never" and len(self.keys[label]) > 1 + len(self.repeated[key]):
            world.violated(f"{label} must not be made again")
        await asyncio.sleep(chance.choice(SLOW))
        if chance.random() < 0.1:
            raise ValueError(f"no {len(self.keys[label])}")
        return f"yes {len(self.keys[label])}"

    def answered(self, label: str, answer: object) -> str:
        """Note what a worker got; its words."""
        self.answers[label].add(str(answer))
        return f"{label.partition(' ')[2]}: {answer}. "

    def words(self, log: str) -> list[str]:
        """Return the words of a log's acts."""
        return [self.answered(label, next(iter(self.answers[label]))) for label in self.stories.get(log, [])]

    def check(self) -> None:
        """Check that an act has one key and one answer, over all workers and runs."""
        for label, keys in self.keys.items():
            if len({*keys}) > 1:
                self.world.violated(f"{label} has {len({*keys})} keys")
        for label, answers in self.answers.items():
            if len(answers) > 1:
                self.world.violated(f"workers got {answers} for {label}")

    def check_unknown(self, run: runs.Run, code: str | None) -> None:
        """Check that a run fails for a step of unknown outcome only if its user wants that, or does not answer."""
        answers = [step.result or "" for step in self.steps_of(run.log_key) if step.action == SETTLE]
        if code == "runner.outcome_unknown" and all('"repeat"' in one or '"done"' in one for one in answers):
            self.world.violated(f"{run.run_id} ends because of a step, and its user was not asked")

    def check_stored(self, log: str) -> None:
        """Check that what is stored of a log's steps is what workers got."""
        labels = {key: label for label, keys in self.keys.items() for key in keys}
        for step in stored_steps.read_all(log):
            label = labels.get(key_of(log, step.id))
            got = self.answers.get(label or "")
            if label is not None and got and step.has_ended:
                stored = json.loads(stored_steps.loaded(log, step).result or "{}")
                value = stored.get("value", stored.get("error")).rstrip()
                if value not in got:
                    self.world.violated(f"{value} is stored of {label}, and workers got {got}")

    def check_counts(self, run_key: str, story: Sequence[str]) -> None:
        """Check that what a log counts, it counts once."""
        stored = grants.read(run_key)
        if stored is None:
            return
        conversation = space(RunGrant.model_validate_json(stored.grant_json), "conversation")
        for label in story:
            if f" {COUNT} " in label and (count := persistent_state.get(conversation, label)) != 1:
                self.world.violated(f"{label} is {count}")


async def count(api: AgentRunAPIProxy, label: str) -> tuple[str, object]:
    """Add one to what a run has stored under the label."""
    number = (await api.state.get("conversation", label) or 0) + 1
    await api.state.set("conversation", label, number)
    return label, number
