"""Finds the caller's jobs, and shows them."""

from datetime import UTC, datetime

from yarrow.automation.timing.slots import next_slot
from yarrow.protocol.automation.job import Job
from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.run_ids import is_uuid
from yarrow.store.automation import jobs
from yarrow.store.automation.jobs import StoredJob


def get_job(user_id: str, job_id: str) -> StoredJob:
    """Return the user's job. Raises Problem: 404 if unknown or deleted, 403 if another user's."""
    job = jobs.read(job_id.lower()) if is_uuid(job_id) else None
    if job is not None and job.user_id != user_id:
        raise Problem(Code.AGENT_FORBIDDEN, "the job belongs to another user")
    if job is None or job.deleted_at is not None:
        raise Problem(Code.AUTOMATION_JOB_NOT_FOUND, "there is no such job")
    return job


def list_jobs(user_id: str) -> list[StoredJob]:
    """Oldest first; their number is limited."""
    return jobs.of_user(user_id)


def check_version(job: StoredJob, if_match: str | None) -> None:
    """Raise Problem 412 unless If-Match, if sent, names the job's version."""
    if if_match is None or if_match.strip() == "*":
        return
    if etag(job) not in (tag.strip() for tag in if_match.split(",")):
        raise changed(job)


def changed(job: StoredJob) -> Problem:
    """Return Problem 412: the job is not the version that the client has."""
    return Problem(Code.AUTOMATION_JOB_CHANGED, "the job was changed meanwhile", params={"etag": etag(job)})


def etag(job: StoredJob) -> str:
    """Covers the fields that clients can change."""
    return f'"{job.version}"'


def shown(job: StoredJob, now: datetime | None = None) -> Job:
    """`next_run_at` is computed, not stored."""
    fields = job.fields
    after = now or datetime.now(UTC)
    due = next_slot(fields.schedule, fields.timezone, after) if job.is_active else None
    return Job(
        **fields.model_dump(),
        id=job.id,
        paused_reason=job.paused_reason,
        next_run_at=None if due is None else due.astimezone(UTC).isoformat(timespec="seconds"),
        last_run_at=job.last_run_at,
        thread_id=job.thread_id,
        created_at=job.created_at,
        updated_at=job.updated_at,
    )
