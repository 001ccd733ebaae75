"""One simulated world from a seed: a user's sessions, clients and functions, and all that goes wrong between them."""

import asyncio
import importlib
import random
import secrets
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from typing import Any, Final
from unittest.mock import patch

import anyio.to_thread
import botocore.auth
import botocore.signers

from tests.simulation.aws import Aws
from tests.simulation.executions import Executions
from tests.simulation.scheduler import Loop, Scheduler
from tests.support.functions.calls import Context
from tests.support.runners.scripted import completed, delta, stand_in
from yarrow.automation import access, run_job, start_job
from yarrow.protocol.runner.models import AgentRunContext, AgentRunResult
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.settings import settings
from yarrow.store import clock, questions, sessions
from yarrow.worker.invocation import remote_runner
from yarrow.worker.invocation.registry import registry

BEGINNING: Final = datetime(2026, 4, 3, 12, 30, tzinfo=UTC)
RATES: Final = (0.0, 0.01, 0.04, 0.12)
PAUSES: Final = (0.0, 0.0, 0.02, 0.2, 1.5, 6.0)
MOST_DELTAS: Final = 12


@dataclass
class World:
    """`problems` is what should not have been."""

    seed: int
    scheduler: Scheduler
    aws: Aws
    executions: Executions
    problems: list[str] = field(default_factory=list)
    skew: float = 30.0
    """How far, in seconds, the clocks of functions are from the right time at most."""
    runner: Callable[["World"], Any] = field(default_factory=lambda: lambda world: Speaker(world.scheduler))
    """What runs use, whatever their agent."""
    patches: ExitStack = field(default_factory=ExitStack)
    """What a scenario changes of the product, until the simulation ends."""
    invoked: Callable[[str, bytes], Any] | None = None
    """The lines with which a remote runner's function answers, by its name and its event."""

    def function(self, name: str, act: Callable[[], Any], seconds: float = 30.0, *, is_ended: bool = False) -> Any:
        """What a function answers; raises what it raises, TimeoutError where nothing came.

        One that takes longer goes on, unless it `is_ended` then, as Lambda ends what has reached its own timeout.
        """
        skew = self.scheduler.chance.uniform(-self.skew, self.skew)
        actor = self.scheduler.spawn(name, act, skew=skew, may_die=True)
        if not self.scheduler.join(actor, seconds) or actor.crashed:
            if is_ended:
                self.scheduler.stop(actor)
            raise TimeoutError(name)
        if actor.error is not None:
            raise actor.error
        return actor.result

    def violated(self, what: str) -> None:
        """Note it, once."""
        if what not in self.problems:
            self.problems.append(what)


@contextmanager
def world(seed: int, scheduler: Scheduler | None = None) -> Iterator[World]:
    """Nothing has happened in it yet. The process is `configured`."""
    scheduler = scheduler or Scheduler(seed)
    aws = Aws(scheduler)
    executions = Executions(scheduler, aws, _handler("execute_run"), _handler("end_run"))
    aws.services["stepfunctions"] = executions
    aws.rate = RATES[seed % len(RATES)]
    ids, tokens = random.Random(seed), random.Random(f"{seed} tokens")
    made = World(seed, scheduler, aws, executions)

    def wall_clock() -> float:
        actor = scheduler.current
        return BEGINNING.timestamp() + scheduler.now + (actor.skew if actor else 0.0)

    class Clock(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> "Clock":
            return cls.fromtimestamp(wall_clock(), tz)

    def signing_time(*, remove_tzinfo: bool = True) -> datetime:
        now = datetime.fromtimestamp(wall_clock(), UTC)
        return now.replace(tzinfo=None) if remove_tzinfo else now

    with ExitStack() as patched:
        patched.enter_context(aws.installed())
        patched.enter_context(patch.dict(vars(settings)))
        for place, name, double in (
            (time, "time", wall_clock),
            (time, "monotonic", lambda: scheduler.now),
            (time, "sleep", scheduler.pause),
            *((module, "get_current_datetime", signing_time) for module in (botocore.auth, botocore.signers)),
            (secrets, "token_hex", lambda size: f"{tokens.getrandbits(8 * size):0{2 * size}x}"),
            (uuid, "uuid4", lambda: uuid.UUID(int=ids.getrandbits(128), version=4)),
            *((module, "datetime", Clock) for module in (clock, access, run_job, start_job, questions, sessions)),
            (asyncio, "run", lambda main: _run(scheduler, main)),
            (anyio.to_thread, "run_sync", _at_once),
            (remote_runner, "lines", lambda *value: made.invoked and made.invoked(*value)),
            (registry, "find", lambda _: stand_in(lambda: made.runner(made))),
        ):
            patched.enter_context(patch.object(place, name, double))
        random.seed(seed)
        patched.enter_context(made.patches)
        yield made


class Speaker:
    """A runner that says something, with pauses; now and then it fails, or hangs for a while."""

    def __init__(self, scheduler: Scheduler) -> None:
        self._chance = scheduler.chance

    async def run(self, context: AgentRunContext, _: AgentRunAPIProxy) -> Any:
        """Yield the results as a runner's."""
        chance = self._chance
        text = ""
        for number in range(chance.randrange(MOST_DELTAS)):
            await asyncio.sleep(chance.choice(PAUSES))
            piece = f"{number}第 "
            text += piece
            yield _result(context, delta(piece))
        match chance.randrange(12):
            case 0:
                raise ValueError("the runner is broken")
            case 1:
                await asyncio.sleep(chance.uniform(10, 120))
        yield _result(context, completed(text or "好"))
        yield _result(context, ("run.completed", {}))


def _result(context: AgentRunContext, values: tuple[str, dict[str, Any]]) -> AgentRunResult:
    return AgentRunResult(run_id=context.run_id, type=values[0], data=values[1])


def _handler(name: str) -> Callable[[dict[str, Any]], object]:
    def handle(event: dict[str, Any]) -> object:
        return importlib.import_module(f"functions.{name}.app").handler(event, Context(name))

    return handle


def _run(scheduler: Scheduler, main: Any) -> Any:
    with asyncio.Runner(loop_factory=lambda: Loop(scheduler)) as runner:
        return runner.run(main)


async def _at_once(function: Callable[..., Any], *arguments: Any, limiter: object = None) -> Any:
    return function(*arguments)
