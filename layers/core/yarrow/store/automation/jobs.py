"""Automation jobs. A change raises `version`; the job's schedule was last made from `scheduled_version`. A deleted job
stays as a mark until its past runs have expired.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from yarrow.protocol.automation.job import JobFields
from yarrow.store import clock, table
from yarrow.store.items.records import Codec, Form, in_key, stored_as
from yarrow.store.items.updates import EXISTS, IS_NEW, Attr, Condition, Update

MARK_DAYS: Final = 100
"""Longer than a deleted job's past runs stay."""

_BATCH: Final = 100

PausedReason = Literal["failures"]


_FIELDS: Final = Form(JobFields.model_dump_json, JobFields.model_validate_json)


@dataclass(frozen=True, slots=True)
class StoredJob:
    """Consecutive failures count from `failures_since`, the job's creation or latest resumption."""

    id: str = field(metadata=in_key("pk", "JOB#"))
    user_id: str
    version: int = field(metadata=stored_as("job_version"))
    fields: JobFields = field(metadata=stored_as("job_fields", _FIELDS))
    thread_id: str
    created_at: str
    updated_at: str
    failures_since: str
    locale: str | None = None
    paused_reason: PausedReason | None = field(default=None, metadata=stored_as("paused_for"))
    paused_version: int | None = None
    """The version in which it was paused last."""
    last_run_at: str | None = None
    scheduled_version: int | None = None
    deleted_at: str | None = None
    waiting: frozenset[str] = frozenset()
    """The places of its slots that wait for the answer to a question: those of `job_runs.place`."""

    @property
    def is_active(self) -> bool:
        return self.deleted_at is None and self.fields.status == "active"


_JOBS: Final = Codec(StoredJob)


class TooManyJobsError(Exception):
    """The user has as many jobs as allowed."""


def create(job: StoredJob, most: int) -> None:
    """Store a new job. Raises TooManyJobsError."""
    ids = Attr("job_ids")
    try:
        table.transact(
            table.update(_ids_key(job.user_id), Update().add(job_ids={job.id}), ids.not_exists() | ids.size_lt(most)),
            table.put({**key(job.id), **_JOBS.item(job)}, IS_NEW),
            table.put({**_listed_key(job.id), "user_id": job.user_id}),
        )
    except table.ConditionFailedError as error:
        if error.failed[0]:
            raise TooManyJobsError from error
        raise


def read(job_id: str) -> StoredJob | None:
    """Read a job of any user, or its mark."""
    return _JOBS.record_if(table.get(key(job_id)))


def of_user(user_id: str) -> list[StoredJob]:
    """Read a user's jobs, without the deleted ones, oldest first."""
    ids = sorted((table.get(_ids_key(user_id)) or {}).get("job_ids", ()))
    found = read_many(ids)
    return sorted((job for job in found if job.deleted_at is None), key=lambda job: (job.created_at, job.id))


def read_many(ids: Sequence[str]) -> list[StoredJob]:
    found: list[StoredJob] = []
    for start in range(0, len(ids), _BATCH):
        items = table.get_all(*map(key, ids[start : start + _BATCH]))
        found += [stored(item) for item in items if item is not None]
    return found


def change(job: StoredJob, fields: JobFields) -> StoredJob | None:
    """Replace the fields; None if the version has changed. An activated job counts its failures anew."""
    now = clock.now_iso()
    resumed = fields.status == "active" and job.fields.status != "active"
    lifted = fields.status == "active" and job.paused_reason is not None
    changes = Update().set(job_fields=fields.model_dump_json(), failures_since=now if resumed else job.failures_since)
    return _changed(job, changes.remove("paused_for") if lifted else changes, now)


def pause(job: StoredJob, reason: PausedReason) -> StoredJob | None:
    """Disable a failing job; None as in `change`."""
    fields = job.fields.model_copy(update={"status": "disabled"})
    paused = Update().set(job_fields=fields.model_dump_json(), paused_for=reason, paused_version=job.version + 1)
    return _changed(job, paused, clock.now_iso())


def mark_deleted(job: StoredJob) -> bool:
    """Delete a job, but not its schedule; False if the version has changed."""
    deleted = Update().set(
        deleted_at=clock.now_iso(), job_version=job.version + 1, expires_at=clock.epoch_in(MARK_DAYS)
    )
    try:
        table.transact(
            table.update(key(job.id), deleted, _is_unchanged(job)),
            table.update(_ids_key(job.user_id), Update().delete(job_ids={job.id})),
        )
    except table.ConditionFailedError:
        return False
    return True


def mark_scheduled(job: StoredJob) -> bool:
    """Store that the schedule has this version; False if the version has changed."""
    scheduled = Update().set(scheduled_version=job.version)
    return table.update_returning(key(job.id), scheduled, Attr("job_version").eq(job.version)) is not None


def forget(job_id: str) -> None:
    """Remove a deleted job without a schedule from the list of all jobs."""
    table.delete_alone(_listed_key(job_id))


def ran(job_id: str, due_at: str) -> None:
    """Store the time of the last run, unless a later one is stored."""
    last = Attr("last_run_at")
    is_later = EXISTS & (last.not_exists() | last.lt(due_at))
    table.update_returning(key(job_id), Update().set(last_run_at=due_at), is_later)


def stop_waiting(job_id: str, place: str) -> None:
    """Take a slot from those that wait."""
    table.update_returning(key(job_id), Update().delete(waiting={place}), EXISTS)


def change_thread(job: StoredJob, thread_id: str) -> str:
    """Change a job's session, unless another change came first; returns the session it has now."""
    is_same = Attr("thread_id").eq(job.thread_id)
    if table.update_returning(key(job.id), Update().set(thread_id=thread_id), is_same) is not None:
        return thread_id
    item = table.get(key(job.id))
    return thread_id if item is None else str(item["thread_id"])


def listed(start: str, before: str) -> Iterator[str]:
    """Iterate over all users' job ids from `start` to `before`, with deleted jobs that still have a schedule."""
    for item in table.query("ALL_JOBS", start=f"JOB#{start}", before=f"JOB#{before}", attributes=("sk",)):
        yield item["sk"].removeprefix("JOB#")


def key(job_id: str) -> table.Item:
    return {"pk": partition(job_id), "sk": "JOB"}


def partition(job_id: str) -> str:
    return f"JOB#{job_id}"


def stored(item: table.Item) -> StoredJob:
    return _JOBS.record(item)


def _is_unchanged(job: StoredJob) -> Condition:
    return Attr("job_version").eq(job.version) & Attr("deleted_at").not_exists()


def _changed(job: StoredJob, changes: Update, now: str) -> StoredJob | None:
    changes = changes.set(job_version=job.version + 1, updated_at=now)
    item = table.update_returning(key(job.id), changes, _is_unchanged(job))
    return _JOBS.record_if(item)


def _ids_key(user_id: str) -> table.Item:
    return {"pk": f"USER#{user_id}", "sk": "JOBS"}


def _listed_key(job_id: str) -> table.Item:
    return {"pk": "ALL_JOBS", "sk": f"JOB#{job_id}"}
