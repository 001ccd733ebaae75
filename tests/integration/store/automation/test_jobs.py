"""Jobs in the table: conditional changes, the limit of a user, past runs page by page."""

import json
from dataclasses import replace

import pytest

from yarrow.protocol.automation.job import JobFields
from yarrow.store import clock
from yarrow.store.automation import job_runs, jobs
from yarrow.store.automation.job_runs import StoredJobRun
from yarrow.store.automation.jobs import StoredJob

pytestmark = pytest.mark.usefixtures("aws")

FIELDS = JobFields.model_validate(
    {
        "input_template": "{{date}}",
        "schedule": {"type": "daily", "run_at": {"hour": 7, "minute": 0}},
        "timezone": "UTC",
    }
)


def job(number: int = 1, user: str = "alice") -> StoredJob:
    now = clock.now_iso()
    return StoredJob(f"{number:08x}-0000-4000-8000-000000000000", user, 1, FIELDS, "thread-1", now, now, now)


def job_run(day: int) -> StoredJobRun:
    return StoredJobRun(
        job().id, f"run-{day}", "thread-1", f"2026-11-{day:02}T07:00:00.000+00:00", None, "", "starting", "a"
    )


def test_a_user_has_no_more_jobs_than_are_allowed() -> None:
    """AUT-02: deleting one makes room; another user's do not count."""
    for number in (1, 2):
        jobs.create(job(number), 2)
    jobs.create(job(4, "bob"), 2)
    with pytest.raises(jobs.TooManyJobsError):
        jobs.create(job(3), 2)
    assert jobs.read(job(3).id) is None
    assert [job.id for job in jobs.of_user("alice")] == [job(1).id, job(2).id]
    assert jobs.mark_deleted(job(1))
    jobs.create(job(3), 2)
    assert [job.id for job in jobs.of_user("alice")] == [job(2).id, job(3).id]


def test_a_change_of_an_old_version_changes_nothing() -> None:
    """AUT-02: Fields, the note of its schedule and a deletion are refused."""
    jobs.create(job(), 2)
    other = FIELDS.model_copy(update={"status": "disabled"})
    changed = jobs.change(job(), other)
    assert changed is not None
    assert (changed.version, changed.fields) == (2, other)
    assert jobs.change(job(), FIELDS) is None
    assert not jobs.mark_scheduled(job())
    assert not jobs.mark_deleted(job())
    assert jobs.mark_scheduled(changed)
    stored = jobs.read(job().id)
    assert stored == replace(changed, scheduled_version=2)


def test_resuming_a_paused_job_counts_failures_anew() -> None:
    """AUT-03: and takes the reason back."""
    jobs.create(job(), 2)
    paused = jobs.pause(job(), "failures")
    assert paused is not None
    assert (paused.fields.status, paused.paused_reason, paused.version) == ("disabled", "failures", 2)
    resumed = jobs.change(paused, FIELDS)
    assert resumed is not None
    assert resumed.paused_reason is None
    assert resumed.failures_since == resumed.updated_at


def test_a_deleted_job_is_a_mark_until_its_schedule_is_gone() -> None:
    """AUT-03: the sweep still finds it."""
    jobs.create(job(), 2)
    assert jobs.mark_deleted(job())
    assert jobs.of_user("alice") == []
    assert list(jobs.listed("0", "0~")) == [job().id]
    jobs.forget(job().id)
    assert list(jobs.listed("0", "0~")) == []
    stored = jobs.read(job().id)
    assert stored is not None
    assert stored.deleted_at is not None
    assert jobs.change(stored, FIELDS) is None


def test_only_a_later_run_is_the_last() -> None:
    """AUT-02."""
    jobs.create(job(), 2)
    for due in ("2026-11-02", "2026-11-01"):
        jobs.ran(job().id, due)
    stored = jobs.read(job().id)
    assert stored is not None
    assert stored.last_run_at == "2026-11-02"
    jobs.ran("nobody", "2026-11-01")
    assert jobs.read("nobody") is None


def test_another_session_is_given_once() -> None:
    jobs.create(job(), 2)
    assert jobs.change_thread(job(), "thread-2") == "thread-2"
    assert jobs.change_thread(job(), "thread-3") == "thread-2"


def test_a_slot_is_stored_once() -> None:
    """AUT-03: whoever comes second submits what the first one stored."""
    first = job_runs.add(job_run(1))
    assert first.state == "starting"
    assert job_runs.add(replace(job_run(1), text="b")) == first
    job_runs.settle(first, "refused", "AGENT_RATE_LIMIT")
    job_runs.settle(first, "started")
    job_runs.move(first, "thread-2")
    ((stored,), more) = job_runs.latest(job().id, 5)
    assert (stored.state, stored.reason, stored.thread_id, more) == ("refused", "AGENT_RATE_LIMIT", "thread-2", None)


@pytest.mark.parametrize("size", [1, 2, 3, 5])
def test_past_runs_are_read_page_by_page(size: int) -> None:
    """AUT-03: The latest come first, each once."""
    for day in range(1, 6):
        job_runs.add(job_run(day))
    read: list[str] = []
    before: str | None = None
    while True:
        page, before = job_runs.latest(job().id, size, before)
        assert len(page) <= size
        read += [run.run_id for run in page]
        if before is None:
            break
    assert read == [f"run-{day}" for day in (5, 4, 3, 2, 1)]


def test_a_job_is_stored_as_json() -> None:
    """What the table has is what the wire has."""
    jobs.create(job(), 2)
    stored = jobs.read(job().id)
    assert stored is not None
    assert json.loads(stored.fields.model_dump_json())["schedule"]["run_at"] == {"hour": 7, "minute": 0}
