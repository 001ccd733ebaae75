"""Actors that take turns on a clock of their own: threads of which one runs at a time, chosen by a seed.

An actor gives its turn away where the product waits: before and after each call of AWS, and where it sleeps. What two
processes do between two such places does not interleave; they share nothing but AWS.
"""

import asyncio
import random
import selectors
import threading
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar, TypeVarTuple

MAX_STEPS: Final = 200_000
MAX_SECONDS: Final = 12 * 3600.0
_current = threading.local()
_Result = TypeVar("_Result")
_Arguments = TypeVarTuple("_Arguments")


class Stopped(BaseException):
    """The actor's process is gone: nothing in it may catch this, and nothing it does has an effect."""


class StuckError(Exception):
    """The actors do not come to an end."""


def _closed() -> threading.Lock:
    gate = threading.Lock()
    gate.acquire()
    return gate


@dataclass(eq=False)
class Actor:
    """Something that runs by itself, as one execution of a function does."""

    name: str
    act: Callable[[], Any]
    wakes_at: float
    skew: float = 0.0
    """Seconds that its wall clock is ahead."""
    may_die: bool = False
    is_stopped: bool = False
    is_done: bool = False
    result: Any = None
    error: BaseException | None = None
    waiters: list["Actor"] = field(default_factory=list)
    learned: int = 0
    """A hash of all that AWS told it, where that is wanted."""
    gate: threading.Lock = field(default_factory=_closed)
    """Open for its turn."""

    @property
    def crashed(self) -> bool:
        return isinstance(self.error, Stopped)


class Scheduler:
    """The clock, and whose turn it is.

    Who gives the turn away finds out itself who is next: one change of threads then, and none if it is the same actor.
    """

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.now = 0.0
        self.steps = 0
        self.seconds = MAX_SECONDS
        """Within which all actors end."""
        self.alive: list[Actor] = []
        self._end = MAX_SECONDS
        self._over = _closed()
        """Open once nobody has a turn any more."""
        self._failure: BaseException | None = None

    @property
    def current(self) -> Actor | None:
        actor: Actor | None = getattr(_current, "actor", None)
        return actor

    def spawn(
        self, name: str, act: Callable[[], Any], *, after: float = 0.0, skew: float = 0.0, may_die: bool = False
    ) -> Actor:
        """It begins some seconds from now."""
        actor = Actor(name, act, self.now + after, skew, may_die)
        self.alive.append(actor)
        threading.Thread(target=self._live, args=(actor,), daemon=True).start()
        return actor

    def pause(self, seconds: float = 0.0) -> None:
        """Let others have their turns for so long."""
        actor = self.current
        assert actor is not None
        actor.wakes_at = self.now + max(0.0, seconds)
        self._give_back(actor)

    def join(self, actor: Actor, seconds: float) -> bool:
        """Wait so long for another one's end; whether it came."""
        me = self.current
        assert me is not None
        if not actor.is_done:
            actor.waiters.append(me)
            me.wakes_at = self.now + seconds
            self._give_back(me)
        return actor.is_done

    def stop(self, actor: Actor) -> None:
        """Its process ends, wherever it is."""
        actor.is_stopped = True
        actor.wakes_at = self.now

    def run(self) -> None:
        """Until all actors have ended. Raises StuckError."""
        self._end = self.now + self.seconds
        self._pass_on()
        self._over.acquire()
        if self._failure is not None:
            failure, self._failure = self._failure, None
            raise failure

    def chosen(self, due: list[Actor]) -> Actor:
        """Whose turn is next."""
        return self.chance.choice(due)

    def _live(self, actor: Actor) -> None:
        _current.actor = actor
        actor.gate.acquire()
        try:
            if not actor.is_stopped:
                actor.result = actor.act()
        except BaseException as error:  # noqa: BLE001 (whoever waits for it looks)
            actor.error = error
        if actor.is_stopped:
            actor.error = Stopped()
        actor.is_done = True
        self.alive.remove(actor)
        for waiter in actor.waiters:
            waiter.wakes_at = min(waiter.wakes_at, self.now)
        self._pass_on()

    def _give_back(self, actor: Actor) -> None:
        if actor.is_stopped:
            raise Stopped
        self._pass_on()
        actor.gate.acquire()
        if actor.is_stopped:
            raise Stopped

    def _pass_on(self) -> None:
        """Open the gate of whose turn is next, or let `run` end."""
        try:
            following = self._following()
        except BaseException as error:  # noqa: BLE001 (`run` raises it)
            self._failure, following = error, None
        (self._over if following is None else following.gate).release()

    def _following(self) -> Actor | None:
        """Whose turn is next, None where all have ended. Raises StuckError."""
        while self.alive:
            due = [actor for actor in self.alive if actor.wakes_at <= self.now]
            if not due:
                self.now = min(actor.wakes_at for actor in self.alive)
                continue
            self.steps += 1
            if self.steps > MAX_STEPS or self.now > self._end:
                raise StuckError(", ".join(actor.name for actor in self.alive))
            return self.chosen(due)
        return None


class Loop(asyncio.SelectorEventLoop):
    """An actor's event loop: where it would wait for a file, others have their turns."""

    def __init__(self, scheduler: Scheduler) -> None:
        self._scheduler = scheduler
        super().__init__(_Turns(scheduler))

    def time(self) -> float:
        return self._scheduler.now

    def run_in_executor(
        self, executor: Executor | None, func: Callable[[*_Arguments], _Result], *args: *_Arguments
    ) -> asyncio.Future[_Result]:
        """In this turn: the calls of AWS in it give the turn away."""
        future: asyncio.Future[_Result] = self.create_future()
        try:
            future.set_result(func(*args))
        except Exception as error:  # noqa: BLE001 (whoever awaits it gets it)
            future.set_exception(error)
        return future


class _Turns(selectors.DefaultSelector):
    def __init__(self, scheduler: Scheduler) -> None:
        super().__init__()
        self._scheduler = scheduler

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        found = super().select(0)
        if found or timeout == 0:
            return found
        assert timeout is not None, "the actor waits for something that nobody does"
        self._scheduler.pause(timeout)
        return super().select(0)
