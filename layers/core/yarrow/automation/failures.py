"""Pauses a job that failed several times in a row."""

from typing import Final

from yarrow.observability.logs import logger
from yarrow.observability.metrics import Metric, emit
from yarrow.store import runs
from yarrow.store.automation import job_runs, jobs
from yarrow.store.automation.job_runs import JobRun
from yarrow.store.automation.jobs import Job

MOST: Final = 5
"""Failures in a row."""

_LOOKED_AT: Final = 20
"""Latest runs: some slots were skipped, or are still running."""


def pause_if_failing(job: Job) -> bool:
    """Whether the last MOST runs that ended failed; then the job is disabled, and its schedule is behind."""
    latest, _ = job_runs.latest(job.id, _LOOKED_AT)
    counted = 0
    for run in latest:
        if run.started_at < job.failures_since:
            return False
        match _outcome(job, run):
            case "failed":
                counted += 1
            case "finished" | "canceled":
                return False
        if counted == MOST:
            if jobs.pause(job, "failures") is not None:
                logger.warning("a job is paused: its runs fail", extra={"job_id": job.id})
                emit("a job is paused", {Metric.JOBS_PAUSED: 1})
            return True
    return False


def _outcome(job: Job, run: JobRun) -> str:
    """A refused slot failed; a skipped one, or one without a run, tells nothing."""
    if run.state == "refused":
        return "failed"
    if run.state == "skipped":
        return run.state
    # What died between a run's submission and its note left it "starting".
    stored = runs.read(runs.key_of(job.user_id, run.thread_id, run.run_id))
    return "starting" if stored is None else stored.phase
