"""Listing a user's jobs."""

from yarrow.store.automation import jobs
from yarrow.store.automation.jobs import Job


def list_jobs(user_id: str) -> list[Job]:
    """Return all of the user's jobs, oldest first; their number is limited."""
    return jobs.of_user(user_id)
