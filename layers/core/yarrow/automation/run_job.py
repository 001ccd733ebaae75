"""Runs a job at once, active or not."""

import uuid
from datetime import UTC, datetime

from yarrow.automation.access import get_job
from yarrow.automation.submit_job_run import planned, submit
from yarrow.protocol.automation.job import read_run_id, refused
from yarrow.protocol.run_ids import MAX_RUN_ID_LENGTH
from yarrow.runs import submit_run
from yarrow.runs.submit_run import TaskAccepted
from yarrow.store import runs


def run_job(raw: bytes, user_id: str, job_id: str) -> TaskAccepted:
    """The body may name its `runId`; repeating one returns the same run. Raises Problem: 400, 403, 404, 413, 422, and
    those of a submit.
    """
    requested_id = read_run_id(raw)
    job = get_job(user_id, job_id)
    run_id = _of_job(requested_id, f"job-{job.id}-now-")
    repeated = runs.read(runs.key_of(user_id, job.thread_id, run_id))
    if repeated is not None:
        return submit_run.accepted(repeated)
    return submit(job, planned(job, run_id, datetime.now(UTC), None), "api")


def _of_job(run_id: str | None, prefix: str) -> str:
    if run_id is None:
        return f"{prefix}{uuid.uuid4()}"
    if not run_id.startswith(prefix) or len(run_id) > MAX_RUN_ID_LENGTH:
        raise refused("runId", f"must begin with {prefix} and have {MAX_RUN_ID_LENGTH} or fewer characters")
    return run_id
