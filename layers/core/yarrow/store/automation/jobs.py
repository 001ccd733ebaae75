"""Automation jobs: their fields, and how far their schedules follow them.

A change of a job raises `version`; `scheduled_version` is the one that its schedule was last made of. A deleted job
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
"""Longer than past runs are kept."""

_BATCH: Final = 100

PausedReason = Literal["failures"]


_FIELDS: Final = Form(JobFields.model_dump_json, JobFields.model_validate_json)


@dataclass(frozen=True, slots=True)
class Job:
    """`failures_since` is when failures in a row began to count: its creation or latest resumption."""

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
    last_run_at: str | None = None
    scheduled_version: int | None = None
    deleted_at: str | None = None

    @property
    def is_active(self) -> bool:
        return self.deleted_at is None and self.fields.status == "active"


_JOBS: Final = Codec(Job)


class FullError(Exception):
    """The user has as many jobs as are allowed."""


def create(job: Job, most: int) -> None:
    """Store a new job. Raises FullError beyond `most` of its user."""
    ids = Attr("job_ids")
    try:
        table.transact(
            table.update(_ids_key(job.user_id), Update().add(job_ids={job.id}), ids.not_exists() | ids.size_lt(most)),
            table.put({**key(job.id), **_JOBS.item(job)}, IS_NEW),
            table.put({**_listed_key(job.id), "user_id": job.user_id}),
        )
    except table.ConditionFailedError as error:
        if error.failed[0]:
            raise FullError from error
        raise


def read(job_id: str) -> Job | None:
    """A job, of any user, deleted or not."""
    return _JOBS.record_if(table.get(key(job_id)))


def of_user(user_id: str) -> list[Job]:
    """Not the deleted ones, oldest first."""
    ids = sorted((table.get(_ids_key(user_id)) or {}).get("job_ids", ()))
    found = read_many(ids)
    return sorted((job for job in found if job.deleted_at is None), key=lambda job: (job.created_at, job.id))


def read_many(ids: Sequence[str]) -> list[Job]:
    """Those there are."""
    found: list[Job] = []
    for start in range(0, len(ids), _BATCH):
        items = table.get_all(*map(key, ids[start : start + _BATCH]))
        found += [stored(item) for item in items if item is not None]
    return found


def change(job: Job, fields: JobFields) -> Job | None:
    """Store other fields; None if the job is of another version by now. A job that becomes active counts anew."""
    now = clock.now_iso()
    resumed = fields.status == "active" and job.fields.status != "active"
    lifted = fields.status == "active" and job.paused_reason is not None
    changes = Update().set(job_fields=fields.model_dump_json(), failures_since=now if resumed else job.failures_since)
    return _changed(job, changes.remove("paused_for") if lifted else changes, now)


def pause(job: Job, reason: PausedReason) -> Job | None:
    """Disable a job that fails; None as `change`."""
    fields = job.fields.model_copy(update={"status": "disabled"})
    paused = Update().set(job_fields=fields.model_dump_json(), paused_for=reason)
    return _changed(job, paused, clock.now_iso())


def mark_deleted(job: Job) -> bool:
    """Delete a job but for its schedule; False if it is of another version by now."""
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


def mark_scheduled(job: Job) -> bool:
    """Note that the schedule is that of this version; False if there is another version by now."""
    scheduled = Update().set(scheduled_version=job.version)
    return table.update_returning(key(job.id), scheduled, Attr("job_version").eq(job.version)) is not None


def forget(job_id: str) -> None:
    """Take a deleted job, whose schedule is gone, off the list of all."""
    table.delete_alone(_listed_key(job_id))


def ran(job_id: str, due_at: str) -> None:
    """Note a run, unless a later one is noted."""
    last = Attr("last_run_at")
    is_later = EXISTS & (last.not_exists() | last.lt(due_at))
    table.update_returning(key(job_id), Update().set(last_run_at=due_at), is_later)


def change_thread(job: Job, thread_id: str) -> str:
    """Give a job another session, unless it has another already; returns the one it has."""
    is_same = Attr("thread_id").eq(job.thread_id)
    if table.update_returning(key(job.id), Update().set(thread_id=thread_id), is_same) is not None:
        return thread_id
    item = table.get(key(job.id))
    return thread_id if item is None else str(item["thread_id"])


def listed(start: str, before: str) -> Iterator[str]:
    """The ids of all users' jobs with `start` <= id <= `before`, deleted ones that have a schedule included."""
    for item in table.query("ALL_JOBS", start=f"JOB#{start}", before=f"JOB#{before}", attributes=("sk",)):
        yield item["sk"].removeprefix("JOB#")


def key(job_id: str) -> table.Item:
    return {"pk": partition(job_id), "sk": "JOB"}


def partition(job_id: str) -> str:
    """Of a job and its past runs."""
    return f"JOB#{job_id}"


def stored(item: table.Item) -> Job:
    """The job of an item."""
    return _JOBS.record(item)


def _is_unchanged(job: Job) -> Condition:
    """It is of the same version, and not deleted."""
    return Attr("job_version").eq(job.version) & Attr("deleted_at").not_exists()


def _changed(job: Job, changes: Update, now: str) -> Job | None:
    changes = changes.set(job_version=job.version + 1, updated_at=now)
    item = table.update_returning(key(job.id), changes, _is_unchanged(job))
    return _JOBS.record_if(item)


def _ids_key(user_id: str) -> table.Item:
    return {"pk": f"USER#{user_id}", "sk": "JOBS"}


def _listed_key(job_id: str) -> table.Item:
    return {"pk": "ALL_JOBS", "sk": f"JOB#{job_id}"}
