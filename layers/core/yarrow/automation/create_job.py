"""Creates a job with its schedule."""

import uuid

from yarrow.access import limits
from yarrow.automation.apply_schedule import apply_schedule
from yarrow.automation.check_job import check_job, check_time_to_come
from yarrow.observability.logs import logger
from yarrow.protocol.automation.job import JobFields, read_new, refused
from yarrow.protocol.caller import Caller
from yarrow.protocol.problems import Code, Problem
from yarrow.settings import settings
from yarrow.store import clock, table
from yarrow.store.automation import jobs
from yarrow.store.automation.jobs import StoredJob


def create_job(raw: bytes, caller: Caller) -> StoredJob:
    """Store a job and schedule it; the same `id` and fields again are the same job. Raises Problem, and botocore's
    errors if it could not be scheduled: then there is no job, but one whose `id` the client chose is scheduled when the
    request is repeated, or by the daily sweep.
    """
    chosen, fields = read_new(raw)
    check_job(fields)
    if chosen is not None and (there := jobs.read(chosen)) is not None:
        return _repeated(there, fields, caller)
    limits.count(caller.user_id, "job_changes")
    check_time_to_come(fields)
    job_id, now = chosen or str(uuid.uuid4()), clock.now_iso()
    job = StoredJob(
        id=job_id,
        user_id=caller.user_id,
        version=1,
        fields=fields,
        thread_id=str(uuid.uuid5(uuid.UUID(job_id), "1")),
        created_at=now,
        updated_at=now,
        failures_since=now,
        locale=caller.locale,
    )
    try:
        jobs.create(job, settings.jobs_per_user)
    except (jobs.TooManyJobsError, table.ConditionFailedError) as error:
        if (there := jobs.read(job_id)) is not None:  # the same request came twice at once
            return _repeated(there, fields, caller)
        if not isinstance(error, jobs.TooManyJobsError):
            raise
        most = settings.jobs_per_user
        raise Problem(Code.AUTOMATION_JOB_LIMIT, "too many jobs", params={"limit": most}) from error
    try:
        apply_schedule(job_id)
    except Exception:
        if chosen is None:
            # The client will repeat the request, which must not make a second job; a schedule is removed later.
            jobs.mark_deleted(job)
        raise
    logger.info("a job is created", extra={"job_id": job_id})
    return job


def _repeated(job: StoredJob, fields: JobFields, caller: Caller) -> StoredJob:
    if job.user_id != caller.user_id:
        raise Problem(Code.AGENT_FORBIDDEN, "the job belongs to another user")
    if job.deleted_at is not None or job.fields != fields:
        raise refused("id", "belongs to another job, or to one that was changed or deleted")
    if job.scheduled_version != job.version:
        apply_schedule(job.id)
    return job
