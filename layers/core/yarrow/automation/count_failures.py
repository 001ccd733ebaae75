"""Pauses the job of an ended run if it keeps failing."""

from yarrow.automation.failures import pause_if_failing
from yarrow.store import runs
from yarrow.store.automation import jobs


def count_failures(run_key: str) -> None:
    """Pause the run's job if it keeps failing; a no-op for runs without a job and runs that did not fail."""
    run = runs.read(run_key)
    if run is None or run.job is None or run.phase != "failed":
        return
    job = jobs.read(run.job)
    if job is not None and job.is_active:
        pause_if_failing(job)
