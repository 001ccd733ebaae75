"""A job's past runs and skipped slots, page by page, latest first."""

import base64
from collections.abc import Sequence
from typing import Final, cast

from yarrow.automation.access import get_job
from yarrow.formats.query_number import whole_number
from yarrow.protocol.automation.job_runs import JobRun, JobRunPage, JobRunStatus
from yarrow.protocol.problems import Code, Problem
from yarrow.store import runs, table
from yarrow.store.automation import job_runs
from yarrow.store.automation.job_runs import StoredJobRun

DEFAULT_RUNS: Final = 20
MAX_RUNS: Final = 50


def list_job_runs(user_id: str, job_id: str, limit: str | None = None, cursor: str | None = None) -> JobRunPage:
    """Read a page. Raises Problem: 403, 404, 422 for a bad limit or cursor."""
    wanted = DEFAULT_RUNS if limit is None else whole_number(limit, MAX_RUNS)
    if wanted is None:
        raise _refused("limit", f"must be 1 to {MAX_RUNS}")
    job = get_job(user_id, job_id)
    found, more = job_runs.latest(job.id, wanted, None if cursor is None else _decoded(cursor))
    stored = _runs(user_id, found)
    return JobRunPage(
        runs=tuple(_rendered(run, phase) for run, phase in zip(found, stored, strict=True)),
        next_cursor=None if more is None else base64.urlsafe_b64encode(more.encode()).decode(),
    )


def _runs(user_id: str, found: Sequence[StoredJobRun]) -> list[str | None]:
    """Return the phase of each slot's run, None without a run."""
    if not found:
        return []
    keys = (table.run_key_of(runs.key_of(user_id, run.thread_id, run.run_id)) for run in found)
    return [None if item is None else str(item["phase"]) for item in table.get_all(*keys)]


def _rendered(run: StoredJobRun, phase: str | None) -> JobRun:
    return JobRun(
        run_id=run.run_id,
        thread_id=run.thread_id,
        slot=run.slot,
        due_at=run.due_at,
        started_at=run.started_at,
        status=cast("JobRunStatus", phase or ("starting" if run.state == "started" else run.state)),
        # By another clock, a question may have been open still when the run of its slot began.
        reason=run.reason if phase is None else None,
    )


def _decoded(cursor: str) -> str:
    try:
        return base64.b64decode(cursor, altchars=b"-_", validate=True).decode()
    except ValueError as error:
        raise _refused("cursor", "must be one of this list") from error


def _refused(name: str, reason: str) -> Problem:
    return Problem(Code.AUTOMATION_JOB_INVALID, f"invalid {name}", params={"member": name, "reason": reason})
