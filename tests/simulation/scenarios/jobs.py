"""A user's automation jobs over some days: made, changed, paused, deleted and run, while their schedules fire."""

import asyncio
import importlib
import json
import random
import uuid
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from tests.simulation import clients
from tests.simulation.rules import stored_runs
from tests.simulation.schedules import Schedules
from tests.simulation.world import BEGINNING, World, _handler
from tests.support.runners.scripted import completed
from yarrow.automation import schedules
from yarrow.automation.access import etag
from yarrow.automation.change_job import change_job
from yarrow.automation.create_job import create_job
from yarrow.automation.delete_job import delete_job
from yarrow.automation.run_job import run_job
from yarrow.automation.timing.slots import schedule_expression, slots_between
from yarrow.protocol.caller import Caller
from yarrow.protocol.problems import Problem
from yarrow.protocol.runner.models import AgentRunContext, AgentRunResult
from yarrow.settings import settings
from yarrow.store import runs, table
from yarrow.store.automation import job_runs, jobs
from yarrow.store.automation.jobs import StoredJob

DAYS: Final = 7
DAY: Final = 86_400.0
FAILURES: Final = 5
LATE: Final = timedelta(hours=1, minutes=10)
"""An hour, and what a function may take that began within it."""
SWEEPS: Final = (0.6, 2.1, 3.6, 5.1)
"""Days: fewer than there are nights, but one within two days of each change, as the sweep needs."""
SWEEP_TRIES: Final = 10
CALLER: Final = Caller(clients.USER, "en", "UTC")


@dataclass
class _Plan:
    """What the user did with a job. `rests` are the times between a pause's answer and the next resumption."""

    id: str
    answered: bool = False
    changed: bool = False
    deleted: datetime | None = None
    rests: list[tuple[datetime, datetime]] = field(default_factory=list)


class _Worker:
    """A runner that says one thing, or fails."""

    def __init__(self, *, fails: bool) -> None:
        self._fails = fails

    async def run(self, context: AgentRunContext, _: Any) -> Any:
        """Yield the results as a runner's."""
        await asyncio.sleep(1)
        if self._fails:
            raise ValueError("the runner is broken")
        for kind, data in (completed("好"), ("run.completed", {})):
            yield AgentRunResult(run_id=context.run_id, type=kind, data=data)


def begin(world: World) -> Callable[[], None]:
    """One to four jobs, of whom three may be at a time."""
    scheduler, chance = world.scheduler, world.scheduler.chance
    scheduler.seconds = (DAYS + 2) * DAY
    broken = chance.random() < 0.4
    world.runner = lambda _: _Worker(fails=broken or chance.random() < 0.2)
    is_quiet = world.aws.rate == 0
    made = Schedules(world, _handler("start_job"), DAYS)
    world.aws.services["scheduler"] = made
    plans = [_Plan(str(uuid.uuid4())) for _ in range(chance.choice((1, 1, 2, 4)))]
    for plan in plans:
        scheduler.spawn("user", lambda plan=plan: _use(world, plan))  # type: ignore[misc]
    sweep = _handler("repair_schedules")
    for day in SWEEPS:
        scheduler.spawn("sweep", lambda: _sweep(world, sweep), after=day * DAY)

    def check() -> None:
        importlib.import_module("functions.repair_schedules.app").handler({}, None)
        _check(world, made, plans, is_quiet=is_quiet)

    return check


def _now(world: World) -> datetime:
    return BEGINNING + timedelta(seconds=world.scheduler.now)


def _sweep(world: World, sweep: Callable[[dict[str, Any]], object]) -> None:
    for _ in range(SWEEP_TRIES):
        if world.executions.invoke("sweep", sweep, {}, 300) is None:
            return
        world.scheduler.pause(60)


def _insist(world: World, name: str, act: Callable[[], Any]) -> Any:
    """What is answered at last: a Problem if it is refused, None if there is no answer."""
    for _ in range(clients.TRIES):
        try:
            return world.function(name, act)
        except Problem as problem:
            if problem.status < 500:
                return problem
        except Exception:  # noqa: BLE001, S110 (the client repeats it)
            pass
        world.scheduler.pause(world.scheduler.chance.uniform(0.2, 8))
    return None


def _use(world: World, plan: _Plan) -> None:
    scheduler, chance = world.scheduler, world.scheduler.chance
    request = json.dumps(
        {
            "id": plan.id,
            "input_template": "{{date}}: what is on?",
            "schedule": _schedule(chance),
            "timezone": chance.choice(("UTC", "Asia/Shanghai", "Australia/Lord_Howe")),
        }
    ).encode()
    if chance.random() < 0.3:
        scheduler.spawn("create again", lambda: _insist(world, "create", lambda: create_job(request, CALLER)))
    created = _insist(world, "create", lambda: create_job(request, CALLER))
    plan.answered = isinstance(created, StoredJob)
    if not isinstance(created, StoredJob):
        return
    if chance.random() < 0.4:
        now = json.dumps({"runId": f"job-{plan.id}-now-1"}).encode()
        for _ in range(2):
            scheduler.spawn("run", lambda: _insist(world, "run", lambda: run_job(now, clients.USER, plan.id)))
    match chance.randrange(5):
        case 0:
            scheduler.pause(chance.uniform(0, 3) * DAY)
            plan.changed = True
            _change_at_once(world, plan, etag(created))
        case 1:
            scheduler.pause(chance.uniform(0, 2) * DAY)
            plan.changed = True
            _rest(world, plan, chance.uniform(0, 2) * DAY)
        case 2:
            scheduler.pause(chance.uniform(0, 3) * DAY)
            plan.changed = True
            _delete(world, plan)


def _schedule(chance: random.Random) -> dict[str, Any]:
    """Choose a schedule: once a day, or three times."""
    hour, minute = chance.randrange(24), chance.randrange(60)
    if chance.random() < 0.7:
        return {"type": "daily", "run_at": {"hour": hour, "minute": minute}}
    return {"type": "cron", "cron": f"{minute} {hour},{(hour + 8) % 24},{(hour + 16) % 24} * * *"}


def _change(world: World, plan: _Plan, etag_: str | None = None, **members: Any) -> Any:
    raw = json.dumps(members).encode()
    return _insist(world, "change", lambda: change_job(raw, clients.USER, plan.id, etag_))


def _change_at_once(world: World, plan: _Plan, known: str) -> None:
    """On two devices, that know the same version."""
    answers: list[Any] = []
    others = [
        world.scheduler.spawn(
            f"device {hour}",
            lambda hour=hour: answers.append(  # type: ignore[misc]
                _change(world, plan, known, schedule={"type": "daily", "run_at": {"hour": hour, "minute": 30}})
            ),
        )
        for hour in (7, 19)
    ]
    for other in others:
        world.scheduler.join(other, 3_600)
    if sum(isinstance(answer, StoredJob) for answer in answers) > 1:
        world.violated("two changes of one version were both made")


def _rest(world: World, plan: _Plan, seconds: float) -> None:
    if not isinstance(_change(world, plan, status="disabled"), StoredJob):
        return
    since = _now(world)
    world.scheduler.pause(seconds)
    plan.rests.append((since, _now(world)))
    _change(world, plan, status="active")


def _delete(world: World, plan: _Plan) -> None:
    for _ in range(world.scheduler.chance.randint(1, 2)):
        answer = _insist(world, "delete", lambda: delete_job(clients.USER, plan.id) or "gone")  # type: ignore[func-returns-value]
        if answer == "gone" and plan.deleted is None:
            plan.deleted = _now(world)


def _check(world: World, made: Schedules, plans: list[_Plan], *, is_quiet: bool) -> None:
    """`is_quiet` is where nothing fails and nothing comes late."""
    known = [job for job in (jobs.read(plan.id) for plan in plans) if job is not None]
    if len(jobs.of_user(clients.USER)) > settings.jobs_per_user:
        world.violated("the user has too many jobs")
    if {job.id for job in known if job.deleted_at is None} != {job.id for job in jobs.of_user(clients.USER)}:
        world.violated("the user's list has other jobs")
    counted = (table.get(jobs._ids_key(clients.USER)) or {}).get("job_ids", set())
    if set(counted) != {job.id for job in known if job.deleted_at is None}:
        world.violated("jobs are counted that there are not")
    _check_schedules(world, made, known)
    for name, count in Counter(run.run_id for run in stored_runs() if run.job).items():
        if count > 1:
            world.violated(f"{name} ran {count} times")
    for plan in plans:
        job = jobs.read(plan.id)
        if job is None:
            if plan.answered:
                world.violated(f"the job {plan.id[:4]} is lost")
            continue
        if plan.deleted is not None and job.deleted_at is None:
            world.violated(f"the job {plan.id[:4]} is back")
        _check_runs(world, plan, job)
        if is_quiet and not plan.changed:
            _check_slots(world, job)
        _check_failures(world, job)
    if is_quiet and made.undelivered:
        world.violated("an event could not be delivered")


def _check_schedules(world: World, made: Schedules, known: list[StoredJob]) -> None:
    wanted = {
        f"job-{job.id}": (
            schedule_expression(job.fields.schedule, schedules.delay(job)),
            job.fields.timezone,
            "ENABLED",
            job.version,
        )
        for job in known
        if job.is_active
    }
    found = {
        schedule["Name"]: (
            schedule["ScheduleExpression"],
            schedule["ScheduleExpressionTimezone"],
            schedule["State"],
            json.loads(schedule["Target"]["Input"])["version"],
        )
        for schedule in made.schedules.values()
    }
    if found != wanted:
        world.violated(f"the schedules are {found}, the jobs want {wanted}")


def _check_runs(world: World, plan: _Plan, job: StoredJob) -> None:
    noted = job_runs.latest(job.id, 100)[0]
    ran = {run.run_id for run in stored_runs()}
    for slot, count in Counter(run.slot for run in noted if run.slot and run.run_id in ran).items():
        if count > 1:
            world.violated(f"the slot {slot} of {job.id[:4]} ran {count} times")
    for item in noted:
        due = datetime.fromisoformat(item.due_at)
        if item.run_id not in ran or item.slot is None:
            continue
        name = f"the slot {item.slot} of {job.id[:4]}"
        run = runs.read(runs.key_of(job.user_id, item.thread_id, item.run_id))
        if run is not None and datetime.fromisoformat(run.created_at) - due > LATE:
            world.violated(f"{name} ran at {run.created_at}")
        if plan.deleted is not None and due > plan.deleted:
            world.violated(f"{name} ran, of a job deleted at {plan.deleted}")
        if any(since < due < until - LATE for since, until in plan.rests):
            world.violated(f"{name} ran, of a job that was paused")


def _check_slots(world: World, job: StoredJob) -> None:
    """Each has its run, of a job that was only paused by failures."""
    noted = job_runs.latest(job.id, 100)[0]
    until = datetime.fromisoformat(job.updated_at) if not job.is_active else BEGINNING + timedelta(days=DAYS)
    after = datetime.fromisoformat(job.created_at) + timedelta(minutes=1)
    slots = [moment.astimezone(UTC) for moment in slots_between(job.fields.schedule, job.fields.timezone, after, until)]
    has = {datetime.fromisoformat(run.due_at) for run in noted if run.slot and run.state == "started"}
    missing = [slot for slot in slots if slot not in has and slot < until - timedelta(hours=2)]
    if missing:
        world.violated(f"the slots {missing} of {job.id[:4]} did not run")


def _check_failures(world: World, job: StoredJob) -> None:
    phases: list[str] = []
    for item in reversed(job_runs.latest(job.id, 100)[0]):
        run = runs.read(runs.key_of(job.user_id, item.thread_id, item.run_id))
        if item.started_at >= job.failures_since and run is not None and run.ended:
            phases.append(run.phase)
    if job.is_active and len(phases) >= FAILURES and set(phases[-FAILURES:]) == {"failed"}:
        world.violated(f"the job {job.id[:4]} goes on after {phases}")
    if job.paused_reason == "failures" and "failed" * FAILURES not in "".join(phases):
        world.violated(f"the job {job.id[:4]} is paused after {phases}")
    if not world.aws.faults and phases[: -FAILURES - 1].count("failed") >= FAILURES and set(phases) == {"failed"}:
        world.violated(f"the job {job.id[:4]} was paused too late, after {phases}")
