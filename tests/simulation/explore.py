"""`python -m tests.simulation.explore [SWITCHES] [FAULTS]`: one run in every order, up to bounds.

Two workers of a run, a cancel, a deletion and a viewer begin at once. Each goes on until it sleeps, but for so many
switches to another one, each before any call of AWS, and so many faults. What was reached before with as many of both
left, or more, is not gone through again.
"""

import random
import sys
import time
import uuid
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from tests.simulation import clients, rules
from tests.simulation.__main__ import deployment, quickly
from tests.simulation.scenarios.conversation import check_seen
from tests.simulation.scheduler import Actor, Scheduler
from tests.simulation.simulate import settle
from tests.simulation.world import World, world
from tests.support.memory_aws.aws import MemoryExecutions
from yarrow.runs.cancel_run import cancel_run
from yarrow.runs.delete_session import delete_session
from yarrow.worker import execute_run

FAULTS: Final = ("lost", "twice", "killed before", "killed after")
RUN: Final = "run-1"
CHUNKS: Final = 1_000
LEAST_WAIT: Final = 0.1
"""What is shorter, as a call of AWS is, takes no time, so that all others may come in between."""


@dataclass(frozen=True, slots=True)
class Decision:
    """One of so many options was taken, the first if nothing speaks against it."""

    taken: int
    options: int
    is_fault: bool
    state: int


@dataclass
class Explored:
    """`problems` with the first decisions that lead to them."""

    orders: int = 0
    states: dict[int, list[tuple[int, int]]] = field(default_factory=dict)
    """How many switches and faults were left when each was reached."""
    problems: list[tuple[Sequence[int], list[str]]] = field(default_factory=list)

    def is_new(self, state: int, left: tuple[int, int]) -> bool:
        """Note that a state was reached. False if it was with as many left."""
        reached = self.states.setdefault(state, [])
        if any(pair[0] >= left[0] and pair[1] >= left[1] for pair in reached):
            return False
        reached.append(left)
        return True


class _Even(random.Random):
    """No chance at all: calls take no time, nothing fails by itself."""

    def random(self) -> float:
        return 0.5

    def uniform(self, a: float, b: float) -> float:
        return a if a >= LEAST_WAIT else 0.0

    def randrange(self, *_: Any) -> int:
        return 2

    def choice(self, seq: Any) -> Any:
        return seq[0]


class _Turns(Scheduler):
    """Takes the decisions that it is given, then the first option of each."""

    def __init__(self, decisions: Sequence[int]) -> None:
        super().__init__(0)
        self.chance = _Even()
        self.decisions, self.made = decisions, list[Decision]()
        self.is_open = False
        self.state: Callable[[], int] = int
        self._latest: Actor | None = None

    def decide(self, options: int, *, is_fault: bool) -> int:
        if not self.is_open or options == 1:
            return 0
        number, state = len(self.made), 0
        if number >= len(self.decisions):
            state = hash((is_fault, self._latest and self._latest.name, self.state()))
        taken = self.decisions[number] if number < len(self.decisions) else 0
        self.made.append(Decision(taken, options, is_fault, state))
        return taken

    def chosen(self, due: list[Actor]) -> Actor:
        ordered = sorted(due, key=lambda actor: actor is not self._latest)
        self._latest = ordered[self.decide(len(ordered), is_fault=False)]
        self._latest.learned = hash((self._latest.learned, "turn"))
        return self._latest


def explore(switches: int, faults: int, most: int | None = None) -> Explored:
    """Return all orders with at most so many of each; at most `most` of them."""
    found = Explored()
    waiting: deque[bytes] = deque([b""])  # those with most left first: they go through what others would
    while waiting and found.orders != most:
        decisions = waiting.popleft()
        made, problems = _tell(decisions)
        found.orders += 1
        if problems:
            found.problems.append((decisions, problems))
        used = [
            sum(decision.taken > 0 and decision.is_fault is of for decision in made[: len(decisions)])
            for of in (False, True)
        ]
        left = switches - used[0], faults - used[1]
        for number in range(len(decisions), len(made)):
            if not found.is_new(made[number].state, left):
                break
            if left[made[number].is_fault] > 0:
                before = bytes(decision.taken for decision in made[:number])
                waiting += [bytes([*before, other]) for other in range(1, made[number].options)]
    return found


def _tell(decisions: Sequence[int]) -> tuple[list[Decision], list[str]]:
    turns = _Turns(decisions)
    with world(0, turns) as found:
        found.aws.services["stepfunctions"] = MemoryExecutions()
        thread, seen = str(uuid.uuid4()), list[tuple[int, str, bytes]]()
        keys: list[str | None] = []
        turns.spawn("user", lambda: keys.append(clients.submit(found, thread, RUN, follow_up=False)))
        turns.run()
        (key,) = keys
        assert key is not None

        def fault(faults: list[str]) -> str:
            options = ["none", *(fault for fault in FAULTS if fault in faults)]
            return options[turns.decide(len(options), is_fault=True)]

        found.aws.decide = fault
        turns.state = lambda: _state(found)
        turns.is_open = True
        for number in (1, 2):
            turns.spawn(f"worker {number}", lambda: execute_run.work(key), may_die=True)
        turns.spawn("cancel", lambda: cancel_run(clients.USER, thread, RUN), may_die=True)
        turns.spawn("delete", lambda: delete_session(clients.USER, thread), may_die=True)
        frames: list[bytes] = []
        turns.spawn("viewer", lambda: clients.stream(thread, RUN, 0, frames, CHUNKS))
        turns.run()
        turns.is_open = False
        settle(found)
        for number, kind, data in clients.FRAME.findall(b"".join(frames)):
            if int(number) != len(seen) + 1:
                found.violated(f"event {int(number)} came after {len(seen)}")
            seen.append((int(number), kind.decode(), data))
        rules.check(found)
        check_seen(found, {(RUN, thread, "viewer"): seen})
        return turns.made, found.problems


def _state(world: World) -> int:
    """Of the table and of all that is under way."""
    actors = tuple((actor.name, actor.learned, actor.wakes_at - world.scheduler.now) for actor in world.scheduler.alive)
    return hash((actors, world.aws.table.digest))


def main(switches: str = "2", faults: str = "1", most: str = "0") -> int:
    """Whether any order went wrong."""
    began = time.process_time()
    with quickly(), deployment():
        found = explore(int(switches), int(faults), int(most) or None)
    seconds = time.process_time() - began
    for value, problems in found.problems[:5]:
        print(f"{list(value)}: {'; '.join(problems)}")
    text = f"{found.orders:,} orders, {len(found.states):,} states, {len(found.problems)} went wrong, {seconds:.0f} s"
    print(f"up to {switches} switches and {faults} faults: {text}")
    return min(len(found.problems), 1)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
