"""Lets the slots of a job go on that have waited for the answer to a question."""

from datetime import timedelta
from typing import Final

from yarrow.automation import schedules
from yarrow.store import clock
from yarrow.store.automation import jobs

SOON: Final = timedelta(minutes=1)
"""Until the first slot is tried, since Scheduler may refuse a time that has passed."""


def release_slots(job_id: str) -> None:
    """Schedule a try of the slot that has waited longest, if any has; it finds out whether a question is still open.
    Idempotent. Raises botocore's errors.
    """
    job = jobs.read(job_id)
    if job is not None and job.waiting:
        now = clock.now()
        schedules.put_waiting(job, now + SOON, now)
