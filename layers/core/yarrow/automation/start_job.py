"""The firing of a job's schedule: one run for a due slot, however often and late it fires (AUT-03)."""

from dataclasses import replace
from datetime import UTC, datetime

from yarrow.automation import schedules, waiting_slots
from yarrow.automation.apply_schedule import apply_schedule
from yarrow.automation.submit_job_run import go_on, pause_and_unschedule, planned, submit_slot
from yarrow.automation.timing.slots import slot_at, slot_name
from yarrow.automation.waiting_slots import AGAIN, LATE
from yarrow.observability.logs import logger
from yarrow.observability.metrics import Metric, emit
from yarrow.store import clock, runs
from yarrow.store.automation import job_runs, jobs
from yarrow.store.automation.job_runs import StoredJobRun
from yarrow.store.automation.jobs import StoredJob


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
    if pause_and_unschedule(job):
        return
    if waiting_slots.must_wait(job) and runs.read(runs.key_of(job.user_id, job.thread_id, run_id)) is None:
        if job.fields.while_waiting == "skip" or not waiting_slots.wait(job, _slot(job, run_id, slot_due, slot)):
            _note(job, run_id, slot_due, slot, "waiting")
        return
    run = planned(job, run_id, slot_due, slot)
    if run.state == "starting" and not submit_slot(job, run):
        schedules.put_retry(job, due, datetime.now(UTC) + AGAIN)


def slot_run_id(job_id: str, slot: str) -> str:
    """Derive a run id from job and slot, which makes retries idempotent."""
    return f"job-{job_id}-{''.join(filter(str.isdigit, slot))}"


def _note(job: StoredJob, run_id: str, due: datetime, slot: str, reason: str) -> None:
    """Note a slot that is skipped, unless it has a run."""
    skipped = replace(_slot(job, run_id, due, slot), state="skipped", reason=reason)
    found = job_runs.add(skipped)
    begun = runs.read(runs.key_of(job.user_id, found.thread_id, run_id)) if found.state == "starting" else None
    if begun is not None:
        go_on(job, found, begun)
    elif found.state == "starting":
        job_runs.settle(found, "skipped", reason)
        emit("a slot is skipped", {Metric.JOB_SLOTS_SKIPPED: 1})
    elif found is skipped:
        emit("a slot is skipped", {Metric.JOB_SLOTS_SKIPPED: 1})


def _slot(job: StoredJob, run_id: str, due: datetime, slot: str) -> StoredJobRun:
    return StoredJobRun(job.id, run_id, job.thread_id, clock.iso(due), slot, clock.now_iso(), "waiting")
