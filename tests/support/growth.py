"""Whether work takes time in proportion to its input, whatever else the machine does.

Times are of this thread on a processor, each the least of a few tries: what shares a core or its caches only makes a
try slower.
"""

import gc
import time
from collections.abc import Callable
from math import inf
from typing import Final, TypeVar

T = TypeVar("T")

_TRIES: Final = 6
_NEGLIGIBLE: Final = 0.02
"""Seconds, below which nothing is slow."""


def growth(work: Callable[[T], object], made: Callable[[int], T], short: int, long: int, *, enough: float) -> float:
    """How many times as long `work` takes for an input of the size `long` as for one of `short`; at least 1.

    Inputs of each try differ in size by one, so that no cache answers. It stops trying where `enough` is not exceeded.
    """
    work(made(short))  # compiles patterns
    least = {short: inf, long: inf}
    for number in range(1, _TRIES + 1):
        for size in least:
            least[size] = min(least[size], _seconds(work, made(size + number)))
        if least[long] <= max(_NEGLIGIBLE, enough * least[short]):
            break
    return 1 if least[long] <= _NEGLIGIBLE else least[long] / least[short]


def _seconds(work: Callable[[T], object], value: T) -> float:
    gc.disable()
    try:
        began = time.thread_time()
        work(value)
        return time.thread_time() - began
    finally:
        gc.enable()
