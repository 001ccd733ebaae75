"""Makes a job's schedule match the job. Idempotent: called wherever the two are found to differ."""

from typing import Final

from yarrow.automation import schedules
from yarrow.store.automation import jobs

_TRIES: Final = 5


def apply_schedule(job_id: str) -> None:
    """Store, change or delete the schedule; repeat if the job changed meanwhile. Raises botocore's errors; then, and
    after a crash, the job shows that its schedule is behind.
    """
    for _ in range(_TRIES):
        job = jobs.read(job_id)
        if job is None or job.deleted_at is not None:
            schedules.delete(job_id)
            jobs.forget(job_id)
            return
        if schedules.is_wanted(job):
            schedules.put(job)
        else:
            schedules.delete(job_id)
        if jobs.mark_scheduled(job):
            return
    raise RuntimeError(f"the job {job_id} kept changing while its schedule was applied")
