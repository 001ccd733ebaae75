"""Rate limits of a run's calls: a token bucket for all, and one per kind of action (RNR-51).

They are per process; the model budget limits costs.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from yarrow.protocol.runner.api import AgentAPIException


@dataclass(frozen=True, slots=True)
class Rate:
    """Burst size, and refill per second."""

    burst: int
    per_second: float


RUN_RATE: Final = Rate(400, 50)
RATES: Final[Mapping[str, Rate]] = {
    "models": Rate(20, 2),
    "tools": Rate(50, 5),
    "knowledge": Rate(50, 5),
    "history": Rate(100, 10),
    "events": Rate(100, 10),
    "artifacts": Rate(200, 50),
    "state": Rate(200, 20),
    "storage": Rate(100, 10),
    "platform": Rate(10, 1),
    "steps": Rate(200, 20),
    "steering": Rate(100, 10),
}
"""Rates by the first part of the action's name."""


class _Bucket:
    def __init__(self, rate: Rate, now: float) -> None:
        self._rate = rate
        self._level = float(rate.burst)
        self._at = now

    def wait(self, now: float) -> float:
        """Seconds until a token is available."""
        self._level = min(self._rate.burst, self._level + (now - self._at) * self._rate.per_second)
        self._at = now
        return max(0.0, (1 - self._level) / self._rate.per_second)

    def take(self) -> None:
        self._level -= 1

    def put_back(self) -> None:
        self._level = min(self._rate.burst, self._level + 1)


class Throttle:
    """Counts the calls of one run. `clock` is monotonic, in seconds."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._run = _Bucket(RUN_RATE, clock())
        self._kinds = {kind: _Bucket(rate, clock()) for kind, rate in RATES.items()}

    def admit(self, kind: str) -> None:
        """Count a call, or raise `rate_limited` with `retry_after` in seconds without counting it."""
        now = self._clock()
        buckets = (self._run, self._kinds[kind])
        wait = max(bucket.wait(now) for bucket in buckets)
        if wait > 0:
            raise rate_limited("the run calls too often", wait)
        for bucket in buckets:
            bucket.take()

    def readmit(self, kind: str) -> None:
        """Undo the count of a call whose result was already stored."""
        self._run.put_back()
        self._kinds[kind].put_back()


def rate_limited(why: str, wait: float) -> AgentAPIException:
    return AgentAPIException("rate_limited", why, retryable=True, retry_after=(math.floor(wait * 1000) + 1) / 1000)
