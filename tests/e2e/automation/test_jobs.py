"""A user's job on the local stack: made over HTTP, fired by its schedule, answered in the history."""

import json
import re
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from tests.support.stack.app import App, SignIn, problem
from tests.support.stack.scheduler_clock import SchedulerClock

ROUTE = "/api/v1/automation/jobs"
ZONE = "Asia/Shanghai"


@pytest.fixture(autouse=True)
def _real_time(scheduler_clock: SchedulerClock) -> None:
    scheduler_clock.move(datetime.now(UTC))


def due_in(now: datetime, minutes: int) -> datetime:
    return (now + timedelta(minutes=minutes)).replace(second=0, microsecond=0)


def daily(due: datetime) -> dict[str, Any]:
    local = due.astimezone(ZoneInfo(ZONE))
    return {"type": "daily", "run_at": {"hour": local.hour, "minute": local.minute}}


def created(app: App, due: datetime) -> dict[str, Any]:
    event = {"title": "晨会", "starts_at": "2026-11-02T09:00:00", "event_timezone": ZONE}
    fields = {
        "title": "Morning",
        "input_template": f"/call calendar_write {json.dumps(event, ensure_ascii=False)}",
        "enabledTools": ["calendar_write"],
        "schedule": daily(due),
        "timezone": ZONE,
    }
    answer = app.http.post(ROUTE, json=fields)
    assert answer.status_code == 201, answer.text
    assert answer.headers["etag"] == '"1"'
    job: dict[str, Any] = answer.json()
    return job


def past(app: App, job: dict[str, Any]) -> list[dict[str, Any]]:
    answer = app.http.get(f"{ROUTE}/{job['id']}/runs")
    assert answer.status_code == 200
    runs: list[dict[str, Any]] = answer.json()["runs"]
    return runs


def names(fired: Any) -> list[str]:
    return [name for name, _ in fired]


def test_a_job_for_once_and_one_by_a_cron_expression_fire(alice: App, scheduler_clock: SchedulerClock) -> None:
    """AUT-03: the first once, the second until its last day."""
    due = due_in(scheduler_clock.now(), 10)
    local = due.astimezone(ZoneInfo(ZONE))
    run_at = {"hour": local.hour, "minute": local.minute}
    common = {"input_template": "It is {{date}}.", "timezone": ZONE}
    once = {"type": "once", "run_at": run_at, "date": f"{local:%Y-%m-%d}"}
    both = {"type": "cron", "cron": f"{local.minute} {local.hour},{(local.hour + 1) % 24} * * *"}
    by_cron = {**both, "end_date": f"{local + timedelta(days=2):%Y-%m-%d}"}
    jobs = [alice.http.post(ROUTE, json={**common, "schedule": job}).json() for job in (once, by_cron)]
    assert [job["next_run_at"] for job in jobs] == [f"{due.astimezone(UTC):%Y-%m-%dT%H:%M:%S+00:00}"] * 2
    assert [job["schedule"] for job in jobs] == [{**job, "weekdays": []} for job in (once, by_cron)]
    moved = names(scheduler_clock.move(due))
    assert [moved.count(f"job-{job['id']}") for job in jobs] == [1, 1]
    assert [len(past(alice, job)) for job in jobs] == [1, 1]
    moved = names(scheduler_clock.move(due + timedelta(days=20)))
    assert f"job-{jobs[0]['id']}" not in moved
    # Its schedule outlives its last day by the hours that a firing may be late, and then starts nothing.
    assert len(past(alice, jobs[1])) == (6 if local.hour < 23 else 5)
    refused = alice.http.post(ROUTE, json={**common, "schedule": {"type": "cron", "cron": "0 9 1 * 1"}})
    assert problem(refused) == (422, "AUTOMATION_SCHEDULE_UNSUPPORTED")
    for job in jobs:
        assert alice.http.delete(f"{ROUTE}/{job['id']}").status_code == 204


def test_a_job_fires_and_its_answer_is_in_the_history(
    alice: App, sign_in: SignIn, scheduler_clock: SchedulerClock
) -> None:
    """AUT-01, AUT-02, AUT-03, SEC-03: then it is paused, resumed and deleted; another user's is closed."""
    due = due_in(scheduler_clock.now(), 10)
    job = created(alice, due)
    assert datetime.fromisoformat(job["next_run_at"]) == due.astimezone(UTC)
    assert alice.http.get(ROUTE).json()["jobs"] == [job]
    name = f"job-{job['id']}"

    assert name in names(scheduler_clock.move(due))
    (run,) = past(alice, job)
    assert run["run_id"] == f"job-{job['id']}-{due.astimezone(ZoneInfo(ZONE)):%Y%m%d%H%M}"
    kinds = [kind for _, kind, _ in alice.watch(run["thread_id"], run["run_id"])]
    assert kinds[-1] == "RUN_FINISHED"
    assert "TOOL_CALL_RESULT" in kinds
    request, answered = alice.history(threadId=job["thread_id"])["messages"]
    assert request["content"].startswith("/call calendar_write")
    assert "晨会" in answered["content"]
    (_, shown) = alice.history(scope="history_day", threadId=job["thread_id"])["messages"]
    assert "晨会" in json.dumps(shown["ui_schema"], ensure_ascii=False)  # its card
    assert [item["status"] for item in past(alice, job)] == ["finished"]

    # A day later while it is paused, and then when it is resumed.
    paused = alice.http.patch(f"{ROUTE}/{job['id']}", json={"status": "disabled"}, headers={"If-Match": '"1"'})
    assert (paused.status_code, paused.json()["status"], paused.json()["next_run_at"]) == (200, "disabled", None)
    stale = alice.http.patch(f"{ROUTE}/{job['id']}", json={"title": "x"}, headers={"If-Match": '"1"'})
    assert problem(stale) == (412, "AUTOMATION_JOB_CHANGED")
    assert name not in names(scheduler_clock.move(due + timedelta(days=1)))
    resumed = alice.http.patch(f"{ROUTE}/{job['id']}", json={"status": "active"})
    assert resumed.json()["next_run_at"] is not None
    assert name in names(scheduler_clock.move(due + timedelta(days=2)))
    assert len(past(alice, job)) == 2

    bob = sign_in("bob")
    for method, path in (("GET", ""), ("PATCH", ""), ("DELETE", ""), ("POST", "/run"), ("GET", "/runs")):
        body: dict[str, str] | None = {} if method in ("PATCH", "POST") else None
        assert problem(bob.http.request(method, f"{ROUTE}/{job['id']}{path}", json=body)) == (403, "AGENT_FORBIDDEN")

    assert alice.http.delete(f"{ROUTE}/{job['id']}").status_code == 204
    assert problem(alice.http.get(f"{ROUTE}/{job['id']}")) == (404, "AUTOMATION_JOB_NOT_FOUND")
    assert name not in names(scheduler_clock.move(due + timedelta(days=3)))
    assert len(alice.history(threadId=job["thread_id"])["messages"]) >= 2


def test_a_job_runs_at_once(alice: App, scheduler_clock: SchedulerClock) -> None:
    """AUT-01: and the same request again is the same run."""
    job = created(alice, due_in(scheduler_clock.now(), -60))
    body = {"runId": f"job-{job['id']}-now-1"}
    accepted = [alice.http.post(f"{ROUTE}/{job['id']}/run", json=body) for _ in range(2)]
    assert [response.status_code for response in accepted] == [202, 202]
    assert accepted[0].json()["taskId"] == accepted[1].json()["taskId"]
    assert [kind for _, kind, _ in alice.watch(job["thread_id"], body["runId"])][-1] == "RUN_FINISHED"
    assert [item["slot"] for item in past(alice, job)] == [None]


def test_a_job_whose_text_is_a_cry_for_help_is_answered_as_one(alice: App, scheduler_clock: SchedulerClock) -> None:
    """CARE-07: by lines to call, and no tool is used."""
    due = due_in(scheduler_clock.now(), 10)
    fields = {"title": "晚安", "input_template": "每天睡前我都不想活了", "schedule": daily(due), "timezone": ZONE}
    job = alice.http.post(ROUTE, json=fields).json()
    assert f"job-{job['id']}" in names(scheduler_clock.move(due))
    (run,) = past(alice, job)
    kinds = [kind for _, kind, _ in alice.watch(run["thread_id"], run["run_id"])]
    assert kinds[-1] == "RUN_FINISHED"
    assert "TOOL_CALL_START" not in kinds
    (_, answered) = alice.history(threadId=job["thread_id"])["messages"]
    assert re.search(r"\b12356\b|findahelpline", answered["content"]), answered["content"]
    assert alice.http.delete(f"{ROUTE}/{job['id']}").status_code == 204
