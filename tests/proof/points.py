"""Where a worker can be killed: the calls it makes to what is outside of it, each before, in and after its effect.

A point's name says which call it is and how far that is, such as `put STEP 2 before` or `model 1 half`. A run's plan
names the point at which its worker dies, and then how many points later its successor does.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import Final

BEFORE, AFTER = "before", "after"
"""Of a write or an effect: it is not made, or it is made and its answer is never heard."""
BEGUN, HALF, WHOLE = "begun", "half", "whole"
"""Of a model's answer: how much of it was sent."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The worker is killed at the point `at`, its successor `then` points later; None for not at all."""

    at: str | None = None
    then: int | None = None
    after: float | None = None
    """Seconds after the submit at which whoever works is killed."""
    varies: bool = False
    """Whether the model says something else at each call."""


UNDISTURBED: Final = Plan()


@dataclass
class Points:
    """The points of one run, in order. `met` are their names; `kills` are those at which a worker was killed."""

    plan: Plan = field(default_factory=Plan)
    met: list[str] = field(default_factory=list)
    kills: list[str] = field(default_factory=list)
    _counted: Counter[str] = field(default_factory=Counter)
    _left: int | None = None

    def name(self, call: str) -> str:
        """Count a call; its name with its number among those alike."""
        self._counted[call] += 1
        return f"{call} {self._counted[call]}"

    def is_fatal(self, name: str, how_far: str) -> bool:
        """Note a point; whether the worker dies there."""
        point = f"{name} {how_far}"
        self.met.append(point)
        if self._left is not None:
            self._left -= 1
            fatal = self._left == 0
        else:
            fatal = not self.kills and point == self.plan.at
        if fatal:
            self._left = None if self.kills else self.plan.then
            self.kills.append(point)
        return fatal
