"""The past runs of a job in responses."""

from typing import Literal

from msgspec import Struct

JobRunStatus = Literal[
    "waiting", "starting", "queued", "running", "finished", "failed", "canceled", "refused", "skipped"
]


class JobRun(Struct, frozen=True, kw_only=True):
    """A run of a job, or a slot without one: `waiting` for the answer to a question, `skipped`, or `refused` with the
    error code as `reason`.

    `slot` is the local time it was due, null for a run that was asked for at once.
    """

    run_id: str
    thread_id: str
    slot: str | None
    due_at: str
    started_at: str
    status: JobRunStatus
    reason: str | None


class JobRunPage(Struct, frozen=True, kw_only=True):
    """A job's runs, latest first; `next_cursor` is null on the last page."""

    runs: tuple[JobRun, ...]
    next_cursor: str | None
