"""Slots of a job that wait while its run waits for the user's answer (ASK-01, AUT-03).

They hold nothing while they wait. The end of a question, and that of the run that goes on, lets the first one go by a
one-time schedule; it lets the next one go. So they run one after another, in their order.
"""

from datetime import datetime, timedelta
from typing import Final

from yarrow.automation import schedules
from yarrow.automation.release_slots import release_slots
from yarrow.automation.submit_job_run import begun, pause_and_unschedule, submit_slot
from yarrow.observability.metrics import Metric, emit
from yarrow.store import clock, sessions
from yarrow.store.automation import job_runs, jobs
from yarrow.store.automation.job_runs import StoredJobRun
from yarrow.store.automation.jobs import StoredJob

LATE: Final = timedelta(hours=1)
"""A slot that has been free to run this long is skipped."""

AGAIN: Final = timedelta(minutes=5)
"""When to retry a slot refused by the user's limits or by another run of its session."""


def must_wait(job: StoredJob) -> bool:
    """Return whether a new slot waits or is skipped: its run would close a question, or others wait before it."""
    return _has_asked(job) or (bool(job.waiting) and job.fields.while_waiting == "queue")


def wait(job: StoredJob, slot: StoredJobRun) -> bool:
    """Let a slot wait; False if too many do. The question may have ended since it was read."""
    if not job_runs.wait(slot):
        return False
    if not _has_asked(job):
        release_slots(job.id)
    return True


def start_waiting(job_id: str, released: datetime) -> None:
    """Submit the run of the slot that has waited longest, and schedule the next one. Idempotent; the caller retries
    after an error.
    """
    job = jobs.read(job_id)
    if job is None or job.deleted_at is not None or not job.waiting or _has_asked(job):
        return
    if not job.is_active or pause_and_unschedule(job):
        for place in sorted(job.waiting):
            _skip(job, place, "paused")
        return
    first, now = min(job.waiting), clock.now()
    run = job_runs.read(job.id, first)
    if run is not None and run.state in ("waiting", "starting"):
        run = begun(job, run)
        if run.state == "starting" and not submit_slot(job, run):
            if now - released <= LATE:
                schedules.put_waiting(job, now + AGAIN, released)
                return
            _skip(job, first, "late")
    jobs.stop_waiting(job.id, first)
    if len(job.waiting) > 1:
        schedules.put_waiting(job, now + AGAIN, now + AGAIN)


def _has_asked(job: StoredJob) -> bool:
    """Return whether the job's last run has asked what nobody has answered: a run of a slot would close that."""
    session = sessions.read(job.thread_id)
    return session is not None and any(not line.is_over for line in session.open_questions)


def _skip(job: StoredJob, place: str, reason: str) -> None:
    run = job_runs.read(job.id, place)
    if run is not None:
        job_runs.settle(run, "skipped", reason)
        emit("a slot is skipped", {Metric.JOB_SLOTS_SKIPPED: 1})
    jobs.stop_waiting(job.id, place)
