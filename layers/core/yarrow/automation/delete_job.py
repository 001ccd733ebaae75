"""Deletes a job and its schedule; its session and runs stay in the history."""

from typing import Final

from yarrow.access import limits
from yarrow.automation.access import changed, check_version, get_job
from yarrow.automation.apply_schedule import apply_schedule
from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.run_ids import is_uuid
from yarrow.store.automation import jobs

_TRIES: Final = 5


def delete_job(user_id: str, job_id: str, if_match: str | None = None) -> None:
    """Idempotent: repeating it deletes the schedule again. Raises Problem 412 if it is not the version that `if_match`
    names, 403; 404 for a job that never was.
    """
    limits.count(user_id, "job_changes")
    deleted = jobs.read(job_id.lower()) if is_uuid(job_id) else None
    if deleted is not None and deleted.user_id == user_id and deleted.deleted_at is not None:
        apply_schedule(deleted.id)
        return
    job = get_job(user_id, job_id)
    for _ in range(_TRIES):
        check_version(job, if_match)
        if jobs.mark_deleted(job):
            apply_schedule(job.id)
            return
        job = get_job(user_id, job_id)
        if if_match is not None:
            raise changed(job)
    raise Problem(Code.SERVICE_UNAVAILABLE, "the job is busy")
