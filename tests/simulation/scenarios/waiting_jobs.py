"""An automation job whose runs ask their user, who answers late, in the job's session, or never: its slots wait."""

import asyncio
import itertools
import json
import uuid
from collections.abc import AsyncGenerator, Callable
from datetime import datetime, timedelta
from typing import Any, Final

from tests.simulation import clients
from tests.simulation.askers import payload_for
from tests.simulation.rules import stored_runs
from tests.simulation.scenarios.domain_events import FILTERS, REFUSED
from tests.simulation.scenarios.domain_events import TRIES as STREAM_TRIES
from tests.simulation.scenarios.jobs import CALLER, DAY, _insist
from tests.simulation.schedules import Schedules
from tests.simulation.table_stream import TableStream
from tests.simulation.world import World, _handler
from tests.support.domain_events.bus import Bus, wanted
from tests.support.memory_aws.aws import MemoryBucket
from tests.support.runners.scripted import completed
from yarrow.automation.create_job import create_job
from yarrow.automation.run_job import run_job
from yarrow.protocol.interrupts import ResumeEntry
from yarrow.protocol.runner.models import AgentRunContext, AgentRunResult
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.protocol.runner.vocabulary import OnExpiry
from yarrow.runs.answer_questions import answer_question
from yarrow.store import questions
from yarrow.store.automation import job_runs, jobs

DAYS: Final = 6
EXPIRIES: Final = (3_600, 2 * 86_400, 7 * 86_400)
ASKS: Final = 0.5
"""How often a run asks."""


class _Asker:
    """A runner that may ask once, and takes its time."""

    def __init__(self, on_expiry: OnExpiry, expires_in: int) -> None:
        self._on_expiry = on_expiry
        self._expires_in = expires_in

    async def run(self, context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        """Yield the results as a runner's."""
        said = "好"
        if await api.random() < ASKS:
            answer = await api.ask("Shall I?", expires_in=self._expires_in, on_expiry=self._on_expiry)
            said = answer.status
        await asyncio.sleep(1 if await api.random() < 0.8 else 400)
        for kind, data in (completed(said), ("run.completed", {})):
            yield AgentRunResult(run_id=context.run_id, type=kind, data=data)


def begin(world: World) -> Callable[[], None]:
    """One job of one to three slots a day, and the deployment's events."""
    scheduler, chance = world.scheduler, world.scheduler.chance
    scheduler.seconds = (DAYS + 40) * DAY
    on_expiry: OnExpiry = chance.choice(("stop", "continue"))
    asker = _Asker(on_expiry, chance.choice(EXPIRIES))
    world.runner = lambda _: asker
    world.aws.services["events"] = Bus(lambda _: world.aws.rate > 0 and chance.random() < REFUSED)
    stream = TableStream(world, "publish_events", lambda change: wanted(change, FILTERS), STREAM_TRIES)
    made = Schedules(world, _of_either(_handler("start_job"), _handler("expire_question")), DAYS, "schedule")
    world.aws.services["scheduler"] = made
    world.aws.services["s3"] = MemoryBucket()
    name = str(uuid.uuid4())
    scheduler.spawn("user", lambda: _use(world, name))

    def check() -> None:
        _check(world, name, is_certain=not (made.undelivered or stream.given_up))

    return check


def _of_either(
    start: Callable[[dict[str, Any]], object], expire: Callable[[dict[str, Any]], object]
) -> Callable[[dict[str, Any]], object]:
    return lambda event: expire(event) if "interruptId" in event else start(event)


def _use(world: World, name: str) -> None:
    """Make the job, then look into the inbox now and then."""
    chance = world.scheduler.chance
    hour = chance.randrange(8)
    hours = chance.choice((f"{hour}", f"{hour},{hour + 8},{hour + 16}"))
    request = {
        "id": name,
        "input_template": "{{date}}: what is on?",
        "schedule": {"type": "cron", "cron": f"{chance.randrange(60)} {hours} * * *"},
        "timezone": "UTC",
        "while_waiting": chance.choice(("queue", "queue", "skip")),
    }
    _insist(world, "create", lambda: create_job(json.dumps(request).encode(), CALLER))
    end = world.scheduler.now + (DAYS + 2) * DAY
    while world.scheduler.now < end:
        world.scheduler.pause(chance.choice((600.0, 0.4 * DAY, 2 * DAY)))
        match chance.randrange(8):
            case 0:
                now = json.dumps({"runId": f"job-{name}-now-{world.scheduler.now:.0f}"}).encode()
                _insist(world, "run", lambda now=now: run_job(now, clients.USER, name))  # type: ignore[misc]
            case 1:
                pass
            case _:
                _answer(world)


def _answer(world: World) -> None:
    """Answer the oldest open question, or cancel it."""
    chance = world.scheduler.chance
    found = _insist(world, "inbox", lambda: list(questions.open_of(clients.USER, 20)))
    if not isinstance(found, list) or not found:
        return
    question = found[-1]
    entry = ResumeEntry(question.id, "resolved", payload_for(question.interrupt(), chance))
    if chance.random() < 0.2:
        entry = ResumeEntry(question.id, "cancelled")
    for _ in range(chance.choice((1, 1, 2))):
        world.scheduler.spawn("device", lambda: _insist(world, "answer", lambda: answer_question(CALLER, entry)))


def _check(world: World, name: str, *, is_certain: bool) -> None:
    job = jobs.read(name)
    if job is None:
        return
    noted = list(reversed(job_runs.latest(name, 100)[0]))
    waiting = [run for run in noted if run.state == "waiting"]
    has_asked = bool(list(questions.open_of(clients.USER, 20)))
    if is_certain and not has_asked and (waiting or job.waiting):
        world.violated(f"{len(waiting)} slots wait for nothing, {len(job.waiting)} are counted")
    if {job_runs.place(run) for run in waiting} - set(job.waiting):
        world.violated("a slot waits and is not counted")
    if len(job.waiting) > job_runs.MAX_WAITING:
        world.violated(f"{len(job.waiting)} slots wait")
    began = {run.run_id: run.created_at for run in stored_runs()}
    if job.fields.while_waiting == "queue" and is_certain and world.aws.faults == 0:
        _check_order(world, [run for run in noted if run.slot and run.run_id in began], began)


def _check_order(world: World, ran: list[job_runs.StoredJobRun], began: dict[str, str]) -> None:
    """Check that slots have run in their order, as far as the clocks of functions can tell."""
    for before, after in itertools.pairwise(ran):
        first, second = (datetime.fromisoformat(began[run.run_id]) for run in (before, after))
        if first - second > timedelta(seconds=2 * world.skew):
            world.violated(f"the slot {after.slot} ran before {before.slot}")
