"""Reading a job."""

from yarrow.automation.access import job_of
from yarrow.store.automation.jobs import Job


def get_job(user_id: str, job_id: str) -> Job:
    """Return the user's job. Raises Problem 403 or 404."""
    return job_of(user_id, job_id)
