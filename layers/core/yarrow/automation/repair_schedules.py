"""The daily sweep: repairs schedules that a crash, a restore or an erasure left different from their jobs."""

from collections.abc import Iterator
from datetime import timedelta
from itertools import islice
from typing import Final

from yarrow.automation import schedules
from yarrow.automation.apply_schedule import apply_schedule
from yarrow.automation.failures import pause_if_failing
from yarrow.observability.logs import logger
from yarrow.observability.metrics import Metric, emit
from yarrow.store import clock
from yarrow.store.automation import jobs
from yarrow.store.automation.jobs import StoredJob

_PARTS: Final = "0123456789abcdef"
"""First digits of job ids: jobs are repaired one part at a time, to bound memory."""

_BATCH: Final = 100
_RECENT: Final = timedelta(days=2)
"""Schedules of jobs changed since then are stored again: concurrent changes may be written in the wrong order."""


class UnrepairedError(Exception):
    """Some schedules could not be repaired; the log says which."""


def repair_schedules() -> None:
    """Idempotent. Raises UnrepairedError at the end."""
    repaired = failed = 0
    for part in _PARTS:
        for job_id, is_wrong in _apart(part):
            try:
                apply_schedule(job_id)
                repaired += is_wrong
            except Exception:
                logger.exception("a schedule could not be repaired", extra={"job_id": job_id})
                failed += 1
    emit("schedules are compared with jobs", {Metric.SCHEDULES_REPAIRED: repaired})
    if failed:
        raise UnrepairedError(f"{failed} schedules")


def _apart(part: str) -> list[tuple[str, bool]]:
    """Return the jobs whose schedules to store or delete, and whether these are known to be wrong."""
    scheduled = set(schedules.job_ids(part))  # read before the jobs: a job's item is written before its schedule
    found: list[tuple[str, bool]] = []
    for ids in _batches(jobs.listed(part, f"{part}~")):
        known = {job.id: job for job in jobs.read_many(ids)}
        for job_id in ids:
            job = known.get(job_id)
            is_wrong = job is None or _is_wrong(job, is_scheduled=job_id in scheduled)
            if is_wrong or (job is not None and clock.since(job.updated_at) < _RECENT):
                found.append((job_id, is_wrong))
            scheduled.discard(job_id)
    return [*found, *((job_id, True) for job_id in sorted(scheduled))]


def _batches(ids: Iterator[str]) -> Iterator[list[str]]:
    while batch := list(islice(ids, _BATCH)):
        yield batch


def _is_wrong(job: StoredJob, *, is_scheduled: bool) -> bool:
    if job.is_active and pause_if_failing(job):
        return True
    is_behind = job.deleted_at is not None or job.scheduled_version != job.version
    return is_behind or schedules.is_wanted(job) is not is_scheduled
