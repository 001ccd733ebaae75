"""Steps of a runner's own: work that it does itself and must not repeat, and values that stay the same in a rerun."""

import asyncio
import hashlib
import inspect
import json
import time
from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime
from typing import Any, Literal

from yarrow.protocol.runner.turn import ENCLOSING_STEPS
from yarrow.protocol.runner.vocabulary import Retry

CallAction = Callable[..., Awaitable[dict[str, Any]]]
"""Takes an action and its arguments, and returns the document of the answer."""


class StepFailedError(Exception):
    """A runner's own step raised; the message describes the exception, which is the cause the first time."""


class BegunStep:
    """A step of the runner's own that is under way, or that an earlier worker ended.

    For frameworks that announce the end of work elsewhere than where it began; otherwise use `step`.
    """

    def __init__(
        self,
        begun: Mapping[str, Any],
        identity: Mapping[str, Any],
        call: CallAction,
    ) -> None:
        self._begun = begun
        self._identity = identity
        self._call = call
        self._leaving: asyncio.Future[Any] | None = None

    @property
    def has_ended(self) -> bool:
        """Whether an earlier worker ended it."""
        return "step" not in self._begun

    @property
    def id(self) -> str:
        """The step's id, until it has ended."""
        step_id: str = self._begun["step"]
        return step_id

    @property
    def key(self) -> str:
        """The idempotency key for what it calls, until it has ended."""
        key: str = self._begun["key"]
        return key

    @property
    def attempt(self) -> int:
        """The number of the run's worker, from 1: after the first, an earlier one may have begun this step, too."""
        attempt: int = self._begun.get("attempt", 1)
        return attempt

    @property
    def value(self) -> Any:
        """What an earlier worker stored. Raises StepFailedError."""
        return _value_of(self._begun)

    async def end(self, value: Any) -> Any:
        """Store the value, which is JSON; returns what was stored first. Raises StepFailedError if that is an error."""
        return _value_of(await self._end(value=value))

    async def fail(self, why: str) -> Any:
        """Store that it failed; returns what was stored first. Raises StepFailedError if that is an error."""
        return _value_of(await self._end(error=why))

    def leave(self) -> None:
        """Store nothing: a rerun makes it again. The host learns of it in the background, if the run goes on."""
        self._leaving = asyncio.ensure_future(self._call("steps.leave", step=self._begun["step"]))
        self._leaving.add_done_callback(lambda left: left.cancelled() or left.exception())

    async def _end(self, **ended: Any) -> dict[str, Any]:
        at_begin = {member: self._begun[member] for member in ("step", "number", "started_at")}
        return await self._call("steps.end", **at_begin, **self._identity, **ended)


class OwnSteps:
    """The steps of one runner; `call` makes a call of its host (STP-01, STP-04)."""

    def __init__(self, call: CallAction) -> None:
        self._call = call
        self._seed: asyncio.Future[str] | None = None
        self._drawn = 0

    async def begin(self, name: str, retry: Retry, arguments: Any) -> "BegunStep":
        identity = {"name": name, "retry": retry, **({} if arguments is None else {"arguments": _digest(arguments)})}
        return BegunStep(await self._call("steps.begin", **identity), identity, self._call)

    async def step(self, name: str, fn: Callable[..., Any], retry: Retry, arguments: Any) -> Any:
        step = await self.begin(name, retry, arguments)
        if step.has_ended:
            return step.value
        within = ENCLOSING_STEPS.set((*ENCLOSING_STEPS.get(), step.id))
        try:
            takes = inspect.signature(fn).parameters
            given = {"key": step.key, "attempt": step.attempt}
            made = fn(**{name: value for name, value in given.items() if name in takes})
            value = await made if inspect.isawaitable(made) else made
        except asyncio.CancelledError:
            step.leave()
            raise
        except Exception as error:  # noqa: BLE001 - whatever the function raises
            try:
                return await step.fail(f"{type(error).__name__}: {error}"[:2_000])
            except StepFailedError as failed:
                raise failed from error
        finally:
            ENCLOSING_STEPS.reset(within)
        return await step.end(value)

    async def value(self, kind: Literal["now", "seed"]) -> str:
        value: str = (await self._call("steps.value", kind=kind))["value"]
        return value

    async def sleep(self, until: datetime | None, seconds: float | None) -> None:
        at = None if until is None else until.isoformat()
        slept = await self._call("steps.sleep", until=at, seconds=seconds)
        if datetime.fromisoformat(slept["until"]).timestamp() > time.time():
            await self._call("steps.wait", until=slept["until"])

    async def drawn(self) -> str:
        """Return another text at each call."""
        self._drawn += 1
        number = self._drawn
        if self._seed is None:
            self._seed = asyncio.ensure_future(self.value("seed"))
        return f"{await asyncio.shield(self._seed)}/{number}"


def _digest(arguments: Any) -> str:
    text = json.dumps(arguments, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def _value_of(ended: Mapping[str, Any]) -> Any:
    if "error" in ended:
        raise StepFailedError(ended["error"])
    return ended["value"]
