"""Which workers die when: at every point of an undisturbed run, then a while after it again, and at any instant."""

import random
from collections.abc import Iterator
from typing import Final

from tests.proof.points import Plan
from tests.proof.prove import Told

MOST_LATER: Final = 30
_OTHERS: Final = ("STREAMS", "RATES", "SESSION+MESSAGE+LOGGED")
"""Writes of the submit and of viewers."""


def points_of(output: Told) -> list[str]:
    """The points of a run at which its worker can be killed."""
    return [point for point in output.points if not any(other in point for other in _OTHERS)]


def plans(output: Told, chance: random.Random) -> Iterator[Plan]:
    """Without an end: all points in a random order, and between them other plans."""
    while True:
        points = points_of(output)
        chance.shuffle(points)
        for number, point in enumerate(points):
            yield Plan(point)
            match number % 4:
                case 0:
                    yield Plan(chance.choice(points), then=chance.randint(1, MOST_LATER))
                case 1:
                    yield Plan(after=chance.uniform(0, output.seconds))
                case 2:
                    yield Plan(chance.choice(points), varies=True)
