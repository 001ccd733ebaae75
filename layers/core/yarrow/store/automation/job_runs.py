"""The past runs of a job: each slot's outcome, and the input that a repeated firing submits again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from yarrow.store import clock, table
from yarrow.store.automation import jobs
from yarrow.store.items.records import JSON, Codec, in_key, stored_as
from yarrow.store.items.updates import EXISTS, IS_NEW, Attr, Update

KEPT_DAYS: Final = 90

MAX_WAITING: Final = 5
"""Slots of a job that wait for the answer to a question."""

State = Literal["waiting", "starting", "started", "refused", "skipped"]


@dataclass(frozen=True, slots=True)
class StoredJobRun:
    """`due_at` is in UTC, `slot` in local time, None for a run requested at once. `reason` says why there is no run.
    `trigger` is the trigger's data, `text` the user message.
    """

    job_id: str = field(metadata=in_key("pk", "JOB#"))
    run_id: str
    thread_id: str
    due_at: str
    slot: str | None
    started_at: str
    state: State = field(metadata=stored_as("job_run_state"))
    text: str = field(default="", metadata=stored_as("said", always=True))
    trigger: Mapping[str, Any] | None = field(default=None, metadata=stored_as("job_trigger", JSON))
    reason: str | None = field(default=None, metadata=stored_as("refusal"))


_JOB_RUNS: Final = Codec(StoredJobRun)


def add(run: StoredJobRun) -> StoredJobRun:
    """Store a run; returns the stored one, which may be earlier."""
    key = _key(run.job_id, run.due_at, run.run_id)
    try:
        table.put_alone(_item(run), IS_NEW)
    except table.ConditionFailedError:
        found = table.get(key)
        if found is None:
            raise
        return _JOB_RUNS.record(found)
    return run


def wait(run: StoredJobRun) -> bool:
    """Store a slot that waits, unless it has begun or is over; False if MAX_WAITING others wait."""
    waiting = Attr("waiting")
    has_room = EXISTS & (waiting.not_exists() | waiting.size_lt(MAX_WAITING))
    try:
        table.transact(
            table.put(_item(run), IS_NEW | Attr("job_run_state").eq("starting")),
            table.update(jobs.key(run.job_id), Update().add(waiting={place(run)}), has_room),
        )
    except table.ConditionFailedError as error:
        return error.failed[0]
    return True


def begin(run: StoredJobRun) -> None:
    """Store the text and trigger of a slot that has waited, which is starting now."""
    table.update_returning(
        _key(run.job_id, run.due_at, run.run_id),
        Update().set(**_JOB_RUNS.item(run)),
        Attr("job_run_state").eq("waiting"),
    )


def read(job_id: str, place: str) -> StoredJobRun | None:
    """Read the run at a place."""
    return _JOB_RUNS.record_if(table.get({"pk": jobs.partition(job_id), "sk": f"RUN#{place}"}))


def move(run: StoredJobRun, thread_id: str) -> None:
    """Store that a run goes to another session."""
    key = _key(run.job_id, run.due_at, run.run_id)
    table.update_returning(key, Update().set(thread_id=thread_id), EXISTS)


def settle(run: StoredJobRun, state: State, reason: str | None = None) -> None:
    """Store the outcome of a run that starts, or of a slot that waits, once."""
    settled = Update().set(job_run_state=state)
    if reason is not None:
        settled = settled.set(refusal=reason)
    key = _key(run.job_id, run.due_at, run.run_id)
    is_open = Attr("job_run_state").eq("starting") | Attr("job_run_state").eq("waiting")
    table.update_returning(key, settled, is_open)


def latest(job_id: str, limit: int, before: str | None = None) -> tuple[Sequence[StoredJobRun], str | None]:
    """Read a page, latest first, and `before` of the next page."""
    end = "RUN#~" if before is None else f"RUN#{before}"
    items = list(table.query(jobs.partition(job_id), start="RUN#", before=end, limit=limit + 2, newest_first=True))
    runs = [_JOB_RUNS.record(item) for item in items if before is None or item["sk"] != end]
    listed = runs[:limit]
    return listed, place(listed[-1]) if len(runs) > limit else None


def place(run: StoredJobRun) -> str:
    return f"{run.due_at}#{run.run_id}"


def _item(run: StoredJobRun) -> table.Item:
    key = _key(run.job_id, run.due_at, run.run_id)
    return {**key, **_JOB_RUNS.item(run), "expires_at": clock.epoch_in(KEPT_DAYS)}


def _key(job_id: str, due_at: str, run_id: str) -> table.Item:
    return {"pk": jobs.partition(job_id), "sk": f"RUN#{due_at}#{run_id}"}
