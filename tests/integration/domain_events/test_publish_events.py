"""Events of the deployment, from the records of the table's stream to the bus (EVB-01)."""

import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from tests.support.divination_runs import THREAD, execute, submit
from tests.support.domain_events.bus import number
from tests.support.domain_events.deployment import Deployment
from tests.support.effort import examples
from tests.support.journals import stored
from tests.support.runners.asking import YES, Asker, answered, cancelled, confirm, interrupts_of
from tests.support.runners.scripted import DONE, Use, completed, install
from yarrow.protocol.automation.job import JobFields
from yarrow.runs import end_run
from yarrow.runs.delete_session import delete_session
from yarrow.store import clock, journal, questions, runs, sessions, table
from yarrow.store.automation import jobs
from yarrow.store.automation.jobs import StoredJob
from yarrow.store.webhooks import webhooks
from yarrow.store.webhooks.webhooks import StoredWebhook

SECRET = "我最近换工作是否合适"
FIELDS = JobFields.model_validate(
    {"input_template": "{{date}}", "schedule": {"type": "daily", "run_at": {"hour": 7, "minute": 0}}, "timezone": "UTC"}
)


def types(events: Sequence[dict[str, Any]]) -> list[str]:
    return [event["type"] for event in events]


def asked(monkeypatch: pytest.MonkeyPatch) -> str:
    """Have a run ask; returns its key."""
    asker = Asker(confirm)
    install(monkeypatch, lambda: asker)
    run_key = submit().task_id
    execute(run_key)
    return run_key


def test_a_run_that_finished_is_completed(deployment: Deployment, use: Use) -> None:
    """EVB-01: its ids, times and use, and nothing that was said."""
    use(completed("合适"), DONE)
    run_key = submit().task_id
    assert deployment.published() == []
    execute(run_key)
    run = runs.must_read(run_key)
    (event,) = deployment.published()
    assert event == {
        "id": f"{run_key}-ended",
        "type": "run.completed",
        "timestamp": run.ended_at,
        "data": {
            "userId": "alice",
            "threadId": THREAD,
            "runId": "run-1",
            "runKey": run_key,
            "agent": run.agent,
            "sequence": 1,
            "createdAt": run.created_at,
            "endedAt": run.ended_at,
            "outcome": "success",
        },
    }
    assert SECRET not in str(event)
    assert "合适" not in str(event)


def test_the_use_is_the_one_that_clients_are_told(deployment: Deployment, use: Use) -> None:
    """EVB-01, EVT-31: as RUN_FINISHED has it, with what its runner reported."""
    counts = {"provider": "p", "model": "m", "inputTokens": 3, "outputTokens": 4, "cachedInputTokens": 1}
    use(completed("合适"), ("run.completed", {"usage": [counts]}))
    run_key = submit().task_id
    execute(run_key)
    (event,) = deployment.published()
    assert event["data"]["usage"] == stored(run_key)[-1]["usage"] == [counts]


@pytest.mark.parametrize(
    ("reason", "kind"),
    [(end_run.FAILED, "run.failed"), (end_run.CANCELED, "run.canceled"), (end_run.LOST, "run.failed")],
)
def test_a_run_that_ends_with_an_error_says_its_code(deployment: Deployment, reason: end_run.Reason, kind: str) -> None:
    """EVB-01: and not its message."""
    run_key = submit().task_id
    assert end_run.end_with_error(run_key, reason)
    assert not end_run.end_with_error(run_key, reason)
    (event,) = deployment.published()
    assert (event["type"], event["data"]["code"]) == (kind, reason.code)
    assert "outcome" not in event["data"]
    assert reason.message not in str(event)


def test_a_question_comes_after_the_end_of_its_run(deployment: Deployment, monkeypatch: pytest.MonkeyPatch) -> None:
    """EVB-01, ASK-01: the run that goes on has its own end, and an answer is no event."""
    run_key = asked(monkeypatch)
    (interrupt,) = interrupts_of(run_key)
    ended, opened = deployment.published()
    assert (ended["type"], ended["data"]["outcome"]) == ("run.completed", "interrupt")
    assert opened == {
        "id": f"{interrupt['id']}-opened",
        "type": "interrupt.opened",
        "timestamp": runs.must_read(run_key).ended_at,
        "data": {
            "userId": "alice",
            "threadId": THREAD,
            "runId": "run-1",
            "runKey": run_key,
            "agent": ended["data"]["agent"],
            "sequence": 2,
            "interruptId": interrupt["id"],
            "expiresAt": interrupt["expiresAt"],
        },
    }
    assert interrupt["message"] not in str(opened)
    second = answered(interrupt["id"], YES).task_id
    assert types(deployment.published()) == ["run.completed", "interrupt.opened"]
    execute(second)
    last = deployment.published()[-1]
    assert (last["type"], last["data"]["runKey"], last["data"]["outcome"]) == ("run.completed", second, "success")


def test_a_question_that_is_closed_in_time_has_not_expired(
    deployment: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """EVB-01, ASK-03."""
    (first,) = interrupts_of(asked(monkeypatch))
    cancelled(first["id"])
    assert "interrupt.expired" not in types(deployment.published())


def test_an_expired_question_is_told_of_when_it_is_closed(
    deployment: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """EVB-01, ASK-07: after its opening, by the order of a run's events."""
    run_key = asked(monkeypatch)
    (interrupt,) = interrupts_of(run_key)

    class Later(datetime):
        @classmethod
        def now(cls, tz: Any = None) -> Any:
            return datetime.now(tz) + timedelta(days=8)

    monkeypatch.setattr(questions, "datetime", Later)
    monkeypatch.setattr(sessions, "datetime", Later)
    cancelled(interrupt["id"])
    opened, expired = deployment.published()[1:]
    assert (expired["id"], expired["type"]) == (f"{interrupt['id']}-expired", "interrupt.expired")
    assert expired["data"] == opened["data"] | {"sequence": 3}


def test_a_job_is_paused_once(deployment: Deployment) -> None:
    """EVB-01, AUT-03: what changes a paused job is no other pause; the next pause is."""
    now = clock.now_iso()
    job = StoredJob("00000001-0000-4000-8000-000000000000", "alice", 1, FIELDS, THREAD, now, now, now)
    jobs.create(job, 5)
    paused = jobs.pause(job, "failures")
    assert paused is not None
    renamed = jobs.change(paused, FIELDS.model_copy(update={"title": "weekly", "status": "disabled"}))
    assert renamed is not None
    jobs.mark_scheduled(renamed)
    (event,) = deployment.published()
    assert (event["id"], event["timestamp"]) == (f"{job.id}-paused-2", paused.updated_at)
    assert event["data"] == {"userId": "alice", "threadId": THREAD, "jobId": job.id, "reason": "failures"}
    resumed = jobs.change(renamed, FIELDS)
    assert resumed is not None
    assert jobs.pause(resumed, "failures") is not None
    assert [event["id"] for event in deployment.published()] == [f"{job.id}-paused-2", f"{job.id}-paused-5"]


def test_records_that_come_again_make_the_same_events(deployment: Deployment, monkeypatch: pytest.MonkeyPatch) -> None:
    """EVB-01: whoever drops ids that it knows has everything once."""
    asked(monkeypatch)
    changes = deployment.changes()
    for _ in range(3):
        assert deployment.deliver(changes) == []
    assert deployment.bus.events == 3 * deployment.bus.events[:2]
    assert deployment.bus.once == deployment.bus.events[:2]


def test_an_end_that_was_not_stored_is_no_event(deployment: Deployment, use: Use) -> None:
    """EVB-01: the transaction fails, as another one ended the run before."""
    run_key = submit().task_id
    use(completed("合适"), lambda: end_run.end_with_error(run_key, end_run.CANCELED), DONE)
    execute(run_key)
    assert types(deployment.published()) == ["run.canceled"]


def test_nothing_is_sent_before_what_comes_before_it(deployment: Deployment, monkeypatch: pytest.MonkeyPatch) -> None:
    """EVB-01: the end of a run is refused, so its question waits for it; other runs do not."""
    first = asked(monkeypatch)
    second = submit(threadId="550e8400-e29b-41d4-a716-446655440001").task_id
    assert end_run.end_with_error(second, end_run.FAILED)
    changes = deployment.changes()
    refused = [change for change in changes if first in change.key["pk"]["S"]]
    deployment.bus.refuses = lambda entry: f"{first}-ended" in entry["Detail"]
    assert set(deployment.deliver(changes)) == {number(change) for change in refused}
    assert types(deployment.bus.events) == ["run.failed"]
    deployment.bus.refuses = lambda _: False
    assert deployment.deliver(refused) == []
    assert types(deployment.bus.events) == ["run.failed", "run.completed", "interrupt.opened"]


def test_a_record_that_cannot_be_read_keeps_no_other_back(
    deployment: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """EVB-01: it comes again, until its events are published."""
    keys = [submit(threadId=f"550e8400-e29b-41d4-a716-44665544000{n}").task_id for n in range(3)]
    for key in keys:
        end_run.end_with_error(key, end_run.FAILED)
    read = journal.last_batch

    def broken(run_key: str) -> journal.Batch:
        if run_key == keys[1]:
            raise OSError
        return read(run_key)

    changes = deployment.changes()
    monkeypatch.setattr(journal, "last_batch", broken)
    assert deployment.deliver(changes) == [number(changes[1])]
    assert [event["data"]["runKey"] for event in deployment.bus.events] == [keys[0], keys[2]]
    monkeypatch.setattr(journal, "last_batch", read)
    assert deployment.deliver(changes[1:2]) == []
    assert {event["data"]["runKey"] for event in deployment.bus.events} == set(keys)


def test_changes_of_a_session_are_no_events(deployment: Deployment, use: Use) -> None:
    """EVB-01: of all that a conversation stores, its ends alone reach the function."""
    use(completed("合适"), DONE)
    execute(submit().task_id)
    delete_session("alice", THREAD)
    assert len(deployment.changes()) == 1


def _ended(count: int) -> list[str]:
    """Store so many runs and end them, as the worker's transaction does."""
    keys = []
    for index in range(count):
        run_key = runs.key_of("alice", THREAD, f"run-{index}")
        now = clock.now_iso()
        run = runs.Run(run_key, "alice", THREAD, f"run-{index}", "divination", "chat", "f", False, now, phase="running")
        table.transact(
            table.put({**table.run_key_of(run_key), **runs._RUNS.item(run)}),
            journal.begin(run_key, '{"type":"RUN_STARTED"}'),
        )
        last = f'{{"type":"RUN_FINISHED","threadId":"{THREAD}","runId":"run-{index}"}}'
        journal.end(run_key, 0, journal.AFTER_FIRST, [last], "finished", [])
        keys.append(run_key)
    return keys


def test_a_burst_loses_nothing(deployment: Deployment) -> None:
    """EVB-01: ends in batches as Lambda makes them, while the bus refuses one event in twenty; `EFFORT=4` is 10,000."""
    chance = random.Random(1)
    keys = _ended(examples(2_500))
    deployment.bus.refuses = lambda _: chance.random() < 0.05
    waiting = deployment.changes()
    assert len(waiting) == len(keys)
    while waiting:
        batch = waiting[:100]
        failed = deployment.deliver(batch)
        done = len(batch) if not failed else next(n for n, change in enumerate(batch) if number(change) in failed)
        waiting = waiting[done:]
    ids = [event["data"]["runKey"] for event in deployment.bus.once]
    assert sorted(ids) == sorted(keys)


def test_a_webhook_that_is_disabled_by_itself_is_told_of_once(deployment: Deployment) -> None:
    """EVB-01, EVB-04: not one that somebody disables, or changes afterwards."""
    now = clock.now_iso()
    mine = StoredWebhook("w-1", "alice", 1, "https://a.example/secret", ("run.completed",), "0", now, now, "alice")
    ours = replace(mine, id="w-2", user_id="ops", owner=None)
    for webhook in (mine, ours):
        webhooks.create(webhook, 1)
    assert webhooks.change(mine, replace(mine, status="disabled")) is not None
    assert deployment.published() == []
    disabled = webhooks.disable(ours, "gone")
    assert disabled is not None
    assert webhooks.change(disabled, replace(disabled, description="why?")) is not None
    (event,) = deployment.published()
    assert (event["id"], event["type"], event["timestamp"]) == (
        "w-2-disabled-2",
        "webhook.disabled",
        disabled.updated_at,
    )
    assert event["data"] == {"userId": "ops", "webhookId": "w-2", "reason": "gone"}
