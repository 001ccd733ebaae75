"""Changes, pauses and resumes a job, with its schedule."""

from typing import Final

from yarrow.access import limits
from yarrow.automation.access import changed, check_version, get_job
from yarrow.automation.apply_schedule import apply_schedule
from yarrow.automation.check_job import check_job, check_time_to_come
from yarrow.protocol.automation.job import JobFields, read_change
from yarrow.protocol.problems import Code, Problem
from yarrow.store.automation import jobs
from yarrow.store.automation.jobs import StoredJob

_TRIES: Final = 5


def change_job(raw: bytes, user_id: str, job_id: str, if_match: str | None = None) -> StoredJob:
    """Replace the members that were sent. Raises Problem: 412 if it is not the version that `if_match` names, 403, 404,
    422; and botocore's errors if its schedule could not be changed, which repeating the request does.
    """
    job = get_job(user_id, job_id)
    limits.count(user_id, "job_changes")
    for _ in range(_TRIES):
        check_version(job, if_match)
        fields = read_change(raw, job.fields)
        check_job(fields)
        if fields == job.fields:
            if job.scheduled_version != job.version:
                apply_schedule(job.id)
            return job
        if _times(fields) != _times(job.fields):
            check_time_to_come(fields)
        after = jobs.change(job, fields)
        if after is not None:
            apply_schedule(job.id)
            return after
        job = get_job(user_id, job_id)
        if if_match is not None:
            raise changed(job)
    raise Problem(Code.SERVICE_UNAVAILABLE, "the job is busy")


def _times(fields: JobFields) -> tuple[object, ...]:
    return fields.schedule, fields.timezone, fields.status
