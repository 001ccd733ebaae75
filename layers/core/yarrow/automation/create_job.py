"""Creating a job, with its schedule."""

import uuid

from yarrow.access import limits
from yarrow.automation.apply_schedule import apply_schedule
from yarrow.automation.check_job import check_job
from yarrow.observability.logs import logger
from yarrow.protocol.automation.job import read_fields
from yarrow.protocol.caller import Caller
from yarrow.protocol.problems import Code, Problem
from yarrow.settings import settings
from yarrow.store import clock
from yarrow.store.automation import jobs
from yarrow.store.automation.jobs import Job


def create_job(raw: bytes, caller: Caller) -> Job:
    """Store a job of the caller and schedule it. Raises Problem, and botocore's errors if it could not be scheduled;
    then there is no job.
    """
    fields = read_fields(raw)
    check_job(fields)
    limits.count_job_change(caller.user_id)
    job_id, now = str(uuid.uuid4()), clock.now_iso()
    job = Job(
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
    except jobs.FullError as error:
        most = settings.jobs_per_user
        raise Problem(Code.AUTOMATION_JOB_LIMIT, "too many jobs", params={"limit": most}) from error
    try:
        apply_schedule(job_id)
    except Exception:
        # The client will repeat the request, which must not make a second job; its schedule, if any, is removed later.
        jobs.mark_deleted(job)
        raise
    logger.info("a job is created", extra={"job_id": job_id})
    return job
