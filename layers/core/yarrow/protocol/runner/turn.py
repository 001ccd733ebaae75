"""A worker's turn at a run: how long its runner goes on before another worker continues.

A turn ends at its limit, once the calls under way have ended, or when all that the runner waits for is time
(`api.sleep`). Then the runner is stopped, and the next turn runs it from the start: steps that have ended answer from
the store. The host has one for its worker, a remote runner's function one of its own (STP-04, STP-05).
"""

import asyncio
import math
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Final, NoReturn

IN_PLACE_SECONDS: Final = 10.0
"""The longest rest of a sleep that a worker waits for: the next turn would cost more."""

ASK_SECONDS: Final = 0.05
"""The same if it waits for its user: what it does meanwhile is done by the run that goes on."""

SETTLE_SECONDS: Final = 1.0
"""How long a runner must be quiet, but for its sleeps, before they end the turn: it may be between two calls."""


ENCLOSING_STEPS: Final[ContextVar[tuple[str, ...]]] = ContextVar("enclosing_steps", default=())
"""Ids of the runner's own steps in which a call is made, outermost first. It follows calls into other threads."""


@dataclass(frozen=True, slots=True)
class HandOver:
    """How a turn ends before its run does: the next one begins at once, or at `until`, in seconds since the epoch.

    If it `asks`, the runner waits for its user: the run ends, and the answer starts one that goes on.
    """

    until: float | None = None
    asks: bool = False


class Turn:
    """The turn of one worker, on its event loop.

    From `limit_at` on no call begins; calls that are under way may end until `stop_at`. Both are in seconds since the
    epoch.
    """

    def __init__(self, limit_at: float = math.inf, stop_at: float = math.inf) -> None:
        self.limit_at = limit_at
        self.stop_at = stop_at
        self._under_way = 0
        """Calls that wait for something other than time."""
        self._is_taking = False
        """Whether the host takes a result."""
        self._sleeps: list[float] = []
        self._asks: list[tuple[str, ...]] = []
        """Calls that wait for the user, each by the own steps in which it is made."""
        self._own_steps: set[str] = set()
        """Ids of steps of the runner's own that have begun and not ended."""
        self._busy_at = time.time()
        self.hand_over: HandOver | None = None
        """How the turn has ended; None until then."""
        self._changed = asyncio.Event()

    def touch(self) -> None:
        """Note that the runner does something."""
        self._busy_at = time.time()
        self._changed.set()

    @asynccontextmanager
    async def call(self) -> AsyncIterator[None]:
        """Count a call as under way; one that comes after the limit waits until it is cancelled, as its runner is."""
        is_late = time.time() >= self.limit_at and not self._own_steps
        if is_late or self.hand_over is not None:
            await asyncio.get_running_loop().create_future()
        self._under_way += 1
        self.touch()
        try:
            yield
        finally:
            self._under_way -= 1
            self.touch()

    @contextmanager
    def taking(self) -> Iterator[None]:
        """Keep questions from ending the turn while the host takes a result: others may wait behind it."""
        self._is_taking = True
        self.touch()
        try:
            yield
        finally:
            self._is_taking = False
            self.touch()

    async def sleep(self, until: float) -> None:
        """Wait until a time, in a `call`. A sleep may end the turn; its call is then cancelled."""
        self._sleeps.append(until)
        self._under_way -= 1
        self.touch()
        try:
            await asyncio.sleep(max(0.0, until - time.time()))
        finally:
            self._sleeps.remove(until)
            self._under_way += 1

    async def until_answered(self) -> NoReturn:
        """Wait for the user, in a `call`: this turn never has the answer."""
        enclosing = ENCLOSING_STEPS.get()
        self._asks.append(enclosing)
        self._under_way -= 1
        self.touch()
        try:
            while True:
                await asyncio.get_running_loop().create_future()
        finally:
            self._asks.remove(enclosing)
            self._under_way += 1

    def begin_step(self, step_id: str) -> None:
        """Note that the runner carries out a step of its own, in which it may make calls."""
        self._own_steps.add(step_id)

    def end_step(self, step_id: str) -> None:
        self._own_steps.discard(step_id)
        self.touch()

    def end(self, hand_over: HandOver) -> None:
        """End the turn, if it has not ended."""
        self.hand_over = self.hand_over or hand_over
        self._changed.set()

    async def ended(self) -> HandOver:
        """Wait for the end of the turn."""
        while self.hand_over is None:
            self._changed.clear()
            wait = self._decide(time.time())
            with suppress(TimeoutError):
                async with asyncio.timeout(wait):
                    await self._changed.wait()
        return self.hand_over

    @asynccontextmanager
    async def stopping(self, limit: asyncio.Timeout) -> AsyncIterator[None]:
        """Let a timeout that has been entered expire when the turn ends."""
        is_left = False

        def stop(_: asyncio.Task[HandOver]) -> None:
            if not is_left and not limit.expired():
                limit.reschedule(0)

        ended = asyncio.create_task(self.ended())
        ended.add_done_callback(stop)
        try:
            yield
        finally:
            is_left = True
            ended.cancel()

    def _decide(self, now: float) -> float | None:
        """End the turn if it is time to; returns the seconds until the next decision, None for never."""
        wakes_at = min(self._sleeps, default=None)
        is_idle = not self._under_way and not self._own_steps
        due = self.limit_at
        waits = set().union(*self._asks)  # steps that cannot end before their user has answered
        if self._asks and not self._under_way and not self._is_taking and self._own_steps <= waits:
            due = min(due, self._busy_at + ASK_SECONDS)
            if now >= due:
                self.end(HandOver(asks=True))
            return due - now
        if now >= self.limit_at:
            if is_idle or now >= self.stop_at:
                self.end(HandOver(wakes_at if is_idle else None))
            return self.stop_at - now
        if is_idle and wakes_at is not None and wakes_at - now > IN_PLACE_SECONDS:
            due = min(due, self._busy_at + SETTLE_SECONDS)
            if now >= due:
                self.end(HandOver(wakes_at))
        return None if math.isinf(due) else due - now
