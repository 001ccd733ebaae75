"""Bursts of runs over some days, which answer, ask or fail: what happens in them is on the bus, and goes to queues."""

import asyncio
import json
import uuid
from collections import defaultdict
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass, field
from typing import Any, Final

from local.dynamodb.table import ItemChange
from tests.simulation import clients
from tests.simulation.askers import payload_for
from tests.simulation.queues import Queue, Queues, RuledBus
from tests.simulation.scenarios.domain_events import FILTERS, REFUSED, TRIES
from tests.simulation.scenarios.jobs import DAY, _insist
from tests.simulation.schedules import Schedules
from tests.simulation.table_stream import TableStream
from tests.simulation.world import BEGINNING, World, _handler
from tests.support.domain_events.bus import wanted
from tests.support.memory_aws.aws import MemoryBucket
from tests.support.runners.scripted import completed
from yarrow.protocol.caller import Caller
from yarrow.protocol.interrupts import ResumeEntry
from yarrow.protocol.runner.models import AgentRunContext, AgentRunResult
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.runs.answer_questions import answer_question
from yarrow.settings import settings
from yarrow.store import questions
from yarrow.store.table import Item, from_wire

AGENT: Final = "assistant"
EXPIRIES: Final = (600, 4 * 3_600, 30 * 3_600)
"""Seconds that questions are open."""
ASKS: Final = 0.35
FAILS: Final = 0.1
BURST: Final = 4
PAUSES: Final = (2.0, 400.0, 0.1 * DAY, 0.4 * DAY)
"""Seconds between bursts."""
CALLER: Final = Caller(clients.USER)


class Talker:
    """A runner that asks or fails now and then, the same at each of its runs' attempts."""

    def __init__(self, expires_in: int) -> None:
        self._expires_in = expires_in

    async def run(self, context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        """Yield the results as a runner's."""
        drawn = await api.random()
        said = f"好 {context.run_id}"
        if drawn < ASKS:
            said += (await api.ask("Shall I?", expires_in=self._expires_in)).status
        elif drawn > 1 - FAILS:
            raise ValueError("the runner is broken")
        await asyncio.sleep(1 if drawn < 2 * ASKS else 40)
        for kind, data in (completed(said), ("run.completed", {})):
            yield AgentRunResult(run_id=context.run_id, type=kind, data=data)


@dataclass
class Bursts:
    """A deployment whose events go to the queue of a function. `threads` are the sessions, in their order."""

    world: World
    bus: RuledBus
    stream: TableStream
    timers: Schedules
    queue: Queue
    fails: bool
    """Whether AWS has faults."""
    threads: list[str] = field(default_factory=list)
    deleted: dict[str, float] = field(default_factory=dict)
    """When the deletion of a session was answered."""
    seen: defaultdict[tuple[str, str], list[tuple[float, Item]]] = field(default_factory=lambda: defaultdict(list))
    """What items were, and when, by their keys."""

    def check(self) -> None:
        if self.stream.given_up:
            self.world.violated(f"{self.stream.given_up} records were given up")

    def runs(self, bursts: int, used: Callable[[str, str], None] = lambda _thread, _run: None) -> None:
        """Submit runs in bursts, each in a session of its own; `used` is what devices do with each meanwhile."""
        chance, scheduler = self.world.scheduler.chance, self.world.scheduler
        for number in range(bursts):
            scheduler.pause(chance.choice(PAUSES))
            for place in range(chance.randint(1, BURST)):
                thread, run = str(uuid.UUID(int=chance.getrandbits(128), version=4)), f"run-{number}-{place}"
                self.threads.append(thread)
                scheduler.spawn(f"user {run}", lambda thread=thread, run=run: self._use(thread, run, used))  # type: ignore[misc]

    def _use(self, thread: str, run: str, used: Callable[[str, str], None]) -> None:
        chance, scheduler = self.world.scheduler.chance, self.world.scheduler
        if clients.submit_chat(self.world, thread, run, AGENT) is None:
            return
        used(thread, run)
        match chance.randrange(10):
            case 0:
                scheduler.pause(chance.uniform(0, 20))
                clients.cancel(self.world, thread, run)
            case 1:
                scheduler.pause(chance.choice((10.0, 700.0, 0.3 * DAY)))
                clients.delete(self.world, thread)
                self.deleted[thread] = scheduler.now
            case _:
                scheduler.pause(chance.choice((20.0, 500.0, 0.2 * DAY)))
                self._answer()

    def _answer(self) -> None:
        """Answer the latest open question, if there is one."""
        chance = self.world.scheduler.chance
        found = _insist(self.world, "inbox", lambda: list(questions.open_of(clients.USER, 20)))
        if isinstance(found, list) and found:
            entry = ResumeEntry(found[0].id, "resolved", payload_for(found[0].interrupt(), chance))
            _insist(self.world, "answer", lambda: answer_question(CALLER, entry))


def wall_time(now: float) -> float:
    """Return the right time, in seconds since the epoch, of a time of the scheduler."""
    return BEGINNING.timestamp() + now


def begin(world: World, function: str, days: int) -> Bursts:
    """Begin a deployment whose events go to the queue of this function."""
    chance = world.scheduler.chance
    world.scheduler.seconds = (days + 60) * DAY
    expires_in = chance.choice(EXPIRIES)
    world.runner = lambda _: Talker(expires_in)
    world.aws.services["s3"] = MemoryBucket()
    vars(settings).update(runs_per_user=30, runs_per_minute=0, requests_per_minute=0)
    queues = Queues(world, function)
    bus = RuledBus(world, queues, REFUSED)
    world.aws.services["events"] = bus
    stream = TableStream(world, "publish_events", lambda change: wanted(change, FILTERS), TRIES)
    timers = Schedules(world, _of_either(queues.of(function), _handler("expire_question")), days + 60, "schedule")
    world.aws.services["scheduler"] = timers
    found = Bursts(world, bus, stream, timers, queues.of(function), world.aws.rate > 0)
    others = world.aws.table.on_change

    def hear(change: ItemChange) -> None:
        others(change)
        item = from_wire(change.item)
        found.seen[item["pk"], item["sk"]].append((world.scheduler.now, item))

    world.aws.table.on_change = hear
    return found


def _of_either(queue: Queue, expire: Callable[[dict[str, Any]], object]) -> Callable[[dict[str, Any]], object]:
    """A schedule's message goes to the queue, that of a question's timer to its function."""
    return lambda event: expire(event) if "interruptId" in event else queue.put(json.dumps(event))
