"""The firing of a job's schedule: one run for a due slot, however often and late it fires (AUT-03)."""

from datetime import UTC, datetime, timedelta
from typing import Final

from yarrow.automation import schedules
from yarrow.automation.apply_schedule import apply_schedule
from yarrow.automation.failures import pause_if_failing
from yarrow.automation.submit_job_run import go_on, planned, submit
from yarrow.automation.timing.slots import slot_at, slot_name
from yarrow.observability.logs import logger
from yarrow.observability.metrics import Metric, emit
from yarrow.protocol.problems import Problem
from yarrow.store import clock, runs, sessions
from yarrow.store.automation import job_runs, jobs
from yarrow.store.automation.job_runs import StoredJobRun
from yarrow.store.automation.jobs import StoredJob

LATE: Final = timedelta(hours=1)

AGAIN: Final = timedelta(minutes=5)
"""When to retry a slot refused by the user's limits or by another run of its session."""

_CONFLICT: Final = 409
_TOO_MANY: Final = 429
_SERVER_ERROR: Final = 500


def start_job(job_id: str, version: int, due: datetime, delay: int = 0) -> None:
    """Submit the run of the slot `due`, which fired `delay` minutes later. Idempotent; the caller retries after an
    error. An outdated schedule is repaired; that of a deleted or disabled job is deleted.
    """
    job = jobs.read(job_id)
    if job is None or not job.is_active:
        apply_schedule(job_id)
        return
    # The delay differs if the deployment's spread of jobs was changed.
    if (job.version, job.scheduled_version, schedules.delay(job)) != (version, version, delay):
        apply_schedule(job_id)
    fields = job.fields
    slot_due = slot_at(fields.schedule, fields.timezone, due)
    if slot_due is None:
        logger.info("a slot of an earlier version of the job", extra={"job_id": job_id})
        return
    slot = slot_name(fields.schedule, fields.timezone, due)
    run_id = slot_run_id(job_id, slot)
    if datetime.now(UTC) - due > LATE:
        _note(job, run_id, slot_due, slot, "late")
        return
    if pause_if_failing(job):
        apply_schedule(job_id)
        return
    if _waits_for_user(job) and runs.read(runs.key_of(job.user_id, job.thread_id, run_id)) is None:
        _note(job, run_id, slot_due, slot, "waiting")
        return
    run = planned(job, run_id, slot_due, slot)
    if run.state != "starting":
        return
    try:
        submit(job, run, "scheduler")
    except Problem as problem:
        if problem.status >= _SERVER_ERROR:
            raise
        if problem.status in (_CONFLICT, _TOO_MANY):
            logger.info("a slot waits", extra={"job_id": job_id, "code": problem.code.name})
            schedules.put_retry(job, due, datetime.now(UTC) + AGAIN)
            return
        logger.warning("a slot was refused", extra={"job_id": job_id, "code": problem.code.name})
        job_runs.settle(run, "refused", problem.code.name)
        emit("a slot was refused", {Metric.JOB_SLOTS_REFUSED: 1})
        if pause_if_failing(job):
            apply_schedule(job_id)
        return
    emit("a job's run is started", {Metric.JOB_RUNS_STARTED: 1})


def _waits_for_user(job: StoredJob) -> bool:
    """Whether the job's last run has asked its user what nobody has answered: a run of the slot would close that."""
    session = sessions.read(job.thread_id)
    return session is not None and any(not line.is_over for line in session.open_questions)


def slot_run_id(job_id: str, slot: str) -> str:
    """Derive a run id from job and slot, which makes retries idempotent."""
    return f"job-{job_id}-{''.join(filter(str.isdigit, slot))}"


def _note(job: StoredJob, run_id: str, due: datetime, slot: str, reason: str) -> None:
    """Note a slot that is skipped, unless it has a run."""
    due_at = clock.iso(due)
    skipped = StoredJobRun(
        job_id=job.id,
        run_id=run_id,
        thread_id=job.thread_id,
        due_at=due_at,
        slot=slot,
        started_at=clock.now_iso(),
        state="skipped",
        reason=reason,
    )
    found = job_runs.add(skipped)
    begun = runs.read(runs.key_of(job.user_id, found.thread_id, run_id)) if found.state == "starting" else None
    if begun is not None:
        go_on(job, found, begun)
    elif found.state == "starting":
        job_runs.settle(found, "skipped", reason)
        emit("a slot is skipped", {Metric.JOB_SLOTS_SKIPPED: 1})
    elif found is skipped:
        emit("a slot is skipped", {Metric.JOB_SLOTS_SKIPPED: 1})
