"""A simulation from a seed: one scenario, with faults of AWS at any call, then the rules."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Final

from tests.simulation import clients, rules
from tests.simulation.aws import FAULTS
from tests.simulation.scenarios import (
    conversation,
    domain_events,
    jobs,
    limits,
    media,
    questions,
    remote_runners,
    steps,
    user_items,
    waiting_jobs,
    workspace,
)
from tests.simulation.scheduler import StuckError
from tests.simulation.world import RATES, World, world

LINES: Final = 400

Begin = Callable[[World], Callable[[], None]]
SCENARIOS: Final[Mapping[str, Begin]] = {
    "conversation": conversation.begin,
    "jobs": jobs.begin,
    "workspace": workspace.begin,
    "media": media.begin,
    "limits": limits.begin,
    "questions": questions.begin,
    "remote_runners": remote_runners.begin,
    "steps": steps.begin,
    "user_items": user_items.begin,
    "domain_events": domain_events.begin,
    "waiting_jobs": waiting_jobs.begin,
}
"""Each spawns its actors; what it returns checks what is left when everything has settled."""

ORDER: Final = (
    *("conversation", "workspace", "jobs", "media", "steps", "conversation", "user_items"),
    *("workspace", "limits", "steps", "conversation", "media", "jobs", "remote_runners", "questions"),
)
"""The scenarios of seeds, one after the other."""


@dataclass(frozen=True)
class Report:
    """Of one seed; `history` are the last calls, for people."""

    seed: int
    scenario: str
    steps: int
    problems: list[str]
    calls: Counter[tuple[str, str]]
    faults: int
    history: str
    works: int
    """The most workers that a run was given to."""


def scenario_of(seed: int) -> str:
    """The name of a seed's scenario: each is told with every rate of faults."""
    return ORDER[seed // len(RATES) % len(ORDER)]


def simulate(
    seed: int,
    without: Collection[int] = (),
    kinds: Collection[str] = FAULTS,
    rate: float | None = None,
    scenario: str | None = None,
) -> Report:
    """Everything that happens from a seed, with faults of these kinds, without some of them by their numbers."""
    scenario = scenario or scenario_of(seed)
    with world(seed) as found:
        found.aws.without, found.aws.kinds = frozenset(without), frozenset(kinds)
        found.aws.rate = found.aws.rate if rate is None else rate
        check = SCENARIOS[scenario](found)
        try:
            found.scheduler.run()
            settle(found)
            check()
        except StuckError as error:
            found.violated(f"no end: {error}")
        else:
            rules.check(found)
        works = max(found.executions.works.values(), default=0)
        aws = found.aws
        return Report(seed, scenario, found.scheduler.steps, found.problems, aws.made, aws.faults, _table(found), works)


def settle(world: World) -> None:
    """What is left of the faults' consequences: a run whose worker is gone ends once somebody watches it."""
    world.aws.rate = 0.0
    world.aws.rates.clear()
    for run in rules.stored_runs():
        if not run.ended:
            world.scheduler.spawn("late viewer", lambda run=run: clients.watch(world, run.thread_id, run.run_id))  # type: ignore[misc]
    world.scheduler.run()


def _table(world: World) -> str:
    rows = world.aws.history[-LINES:]
    return "\n".join(
        f"{at:10.3f}  {who:<22} {what:<70} {fault:<13} {outcome}" for at, who, what, fault, outcome in rows
    )
