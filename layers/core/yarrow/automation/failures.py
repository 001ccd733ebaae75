"""Pauses a job that failed several times in a row."""

from typing import Final

from yarrow.observability.logs import logger
from yarrow.observability.metrics import Metric, emit
from yarrow.store import runs
from yarrow.store.automation import job_runs, jobs
from yarrow.store.automation.job_runs import StoredJobRun
from yarrow.store.automation.jobs import StoredJob

MAX_FAILURES: Final = 5
"""Failures in a row."""

_LOOKED_AT: Final = 20
"""More than MAX_FAILURES, as some slots were skipped or are still running."""


def pause_if_failing(job: StoredJob) -> bool:
    """Pause the job if its last MAX_FAILURES ended runs failed; return whether they did. Its schedule is kept."""
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
        if counted == MAX_FAILURES:
            if jobs.pause(job, "failures") is not None:
                logger.warning("a job is paused: its runs fail", extra={"job_id": job.id})
                emit("a job is paused", {Metric.JOBS_PAUSED: 1})
            return True
    return False


def _outcome(job: StoredJob, run: StoredJobRun) -> str:
    """Return the run's phase, or "failed" for a refused slot; skipped and unstarted slots count as neither."""
    if run.state == "refused":
        return "failed"
    if run.state == "skipped":
        return run.state
    # A worker that died after submitting the run left the slot "starting".
    stored = runs.read(runs.key_of(job.user_id, run.thread_id, run.run_id))
    return "starting" if stored is None else stored.phase
