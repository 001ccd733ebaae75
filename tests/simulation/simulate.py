"""A simulation from a seed: one scenario, with faults of AWS at any call, then the rules."""

import importlib
import pkgutil
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Final

from tests.simulation import clients, rules, scenarios
from tests.simulation.aws import FAULTS
from tests.simulation.scheduler import StuckError
from tests.simulation.world import RATES, World, world

LINES: Final = 400

Begin = Callable[[World], Callable[[], None]]
SCENARIOS: Final[Mapping[str, Begin]] = {
    module.name: importlib.import_module(f"{scenarios.__name__}.{module.name}").begin
    for module in pkgutil.iter_modules(scenarios.__path__)
}
"""Those of the folder. Each spawns its actors; what it returns checks what is left when everything has settled."""

OFTEN: Final[Mapping[str, int]] = {"conversation": 3, "workspace": 2, "jobs": 2, "media": 2, "steps": 2}
"""How often a turn has the scenarios with the most that can come in between; it has each of the others once."""

ORDER: Final = tuple(name for number in range(max(OFTEN.values())) for name in SCENARIOS if number < OFTEN.get(name, 1))
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
