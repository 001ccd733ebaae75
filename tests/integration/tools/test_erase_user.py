"""Erasing a user: everything there is of them goes, of every kind, and nothing of anybody else."""

import json
import re
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, get_args

import boto3
import pytest

from tests.support.agui.pictures import inline
from tests.support.functions.calls import invoke
from tests.support.functions.payloads import Case
from tests.support.uploads import PNG
from tools import erase_user
from yarrow.automation import schedules
from yarrow.domain_events import question_timers
from yarrow.protocol.automation.job import JobFields
from yarrow.protocol.automation.schedule import RunAt, Schedule
from yarrow.protocol.caller import Caller, folder_of
from yarrow.protocol.domain_events import EndedRun
from yarrow.protocol.files.attachments import BUCKET, path_of
from yarrow.protocol.runner.api import StorageArea
from yarrow.runs import end_run, send_message
from yarrow.services.api.storage import identity
from yarrow.settings import settings
from yarrow.store import (
    api_keys,
    artifacts,
    calendar,
    clients,
    clock,
    devices,
    mcp_connections,
    memories,
    objects,
    questions,
    recordings,
    run_usage,
    runs,
    sessions,
    table,
    tool_use,
    uploads,
)
from yarrow.store.automation import job_runs, jobs
from yarrow.store.automation.job_runs import StoredJobRun
from yarrow.store.calendar import CalendarEvent
from yarrow.store.feedback import session_outcomes
from yarrow.store.limits import buckets, reservations, stored_bytes, stream_slots
from yarrow.store.runner import (
    added_messages,
    contents,
    grants,
    kept_once,
    persistent_state,
    raised,
    run_tokens,
    steps,
    storage,
)
from yarrow.store.runner.persistent_state import StateSpace
from yarrow.store.webhooks import deliveries, webhooks
from yarrow.store.workspace import connections, keys, log, tickets
from yarrow.web.api_keys import create

STACK = "yarrow-test"
STORE = Path(table.__file__).parent
RUNNER, BINDING = "plugin:acme/demo/main", "binding-1"
JOB = JobFields(
    input_template="{{date}}", schedule=Schedule(type="daily", run_at=RunAt(hour=7, minute=0)), timezone="UTC"
)
NOON = datetime(2026, 4, 3, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def deployed(aws: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stack whose outputs name the table, the bucket and the state machine; workers that end with their runs."""
    monkeypatch.setenv("POWERTOOLS_METRICS_DISABLED", "true")
    monkeypatch.setattr(erase_user, "WORKER_LIVES", timedelta(0))
    named = {
        "TableName": settings.table_name,
        "BucketName": settings.bucket_name,
        "StateMachineArn": settings.state_machine_arn,
        "JobSchedules": settings.schedule_group,
        "QuestionTimers": settings.question_timers,
    }
    template = {
        "Resources": {"Topic": {"Type": "AWS::SNS::Topic"}},
        "Outputs": {name: {"Value": value} for name, value in named.items()},
    }
    boto3.client("cloudformation").create_stack(StackName=STACK, TemplateBody=json.dumps(template))


def erase(user: str, *, only_count: bool = False) -> int:
    return erase_user.main(["--stack", STACK, user] + ([] if only_count else ["--erase"]))


def every_item() -> list[table.Item]:
    """Return all items but a list that has become empty, which is nobody's."""
    pages = clients.dynamodb().get_paginator("scan").paginate(TableName=settings.table_name)
    found = [table.from_wire(item) for page in pages for item in page["Items"]]
    return [item for item in found if item.keys() > {"pk", "sk"}]


def every_schedule() -> list[str]:
    groups = settings.schedule_group, settings.question_timers
    listed = [item for group in groups for item in clients.scheduler().list_schedules(GroupName=group)["Schedules"]]
    return [item["Name"] for item in listed]


def every_object() -> list[str]:
    return objects.keys("")[0]


class Grant:
    """As much of a grant as says where a runner's blobs lie."""

    runner_id, binding_id = RUNNER, BINDING

    def __init__(self, user: str) -> None:
        self.user_id = user


def fill(user: str) -> Case:
    """Make one of everything for a user, by the functions that make it in production, and a run that goes on."""
    case = Case(user=user)
    invoke("submit_run", case.payload("api_gateway_submit_run"))
    grants.keep(case.key, grants.StoredGrant("{}", 1))
    run_tokens.replace(case.key, run_tokens.StoredToken("0" * 64, 1, RUNNER), 1)
    kept: dict[str, Any] = {"artifact_type": "file", "mime_type": "text/plain", "run_key": case.key, "data": b"a"}
    artifacts.create(artifacts.new_id(), thread_id=case.thread, user_id=user, runner_id=RUNNER, **kept)
    for title in ("lunch", "dinner"):
        calendar.add(case.thread, case.key, event := CalendarEvent(title, NOON, NOON + timedelta(hours=1), "UTC"))
    calendar.change(case.thread, case.key, event.id_in(case.thread), lambda _: None)
    memories.save(user, "likes tea")
    now = clock.now_iso()
    about: dict[str, Any] = {"public_key": "", "secret": "", "events": (), "created_at": now, "refreshed_at": now}
    endpoint = f"https://push.example.com/{user}"
    devices.save(user, devices.StoredDevice(id=devices.id_of(endpoint), kind="web", endpoint=endpoint, **about))
    about = {"events": (), "created_at": now, "refreshed_at": now}
    arn = "arn:aws:sns:us-east-1:123456789012:endpoint/GCM/notes/1"
    devices.save(user, devices.StoredDevice(id=devices.id_of_app("fcm", user), kind="fcm", endpoint=arn, **about))
    _ask(user, case)
    outcome = session_outcomes.StoredOutcome("partly", "a note", case.run, clock.now_iso())
    session_outcomes.record(user, case.thread, outcome, None)
    steps.end(case.key, steps.Step("0" * 32 + ".0001", "tools.call", 1, 1, clock.now_iso(), ms=1, result="1" * 40_000))
    table.transact(raised.keep(case.key, raised.Raised(1, [])))
    contents.keep(case.key, contents.CallContents("0" * 32 + ".0001", 1, {"messages": [], "tools": []}))
    contents.refuse(case.key, contents.Refusal("07", 1, clock.now_iso(), "tools.call", "not_found", "no", "transfer"))
    added_messages.add(runs.must_read(case.key), "message-2", "and on Sunday?")
    kept_once.keep(case.key, "CAST", "is it true?", {"backs": [0] * 6})
    persistent_state.set_value(StateSpace(RUNNER, BINDING, "conversation", case.thread, user), "k#1", 1)
    persistent_state.set_value(StateSpace(RUNNER, BINDING, "actor", user, user), "a/b", 1)
    subject = StateSpace(RUNNER, BINDING, "subject", f"event of {user}", user)
    table.transact(
        *persistent_state.keep(subject, {"k": 1}), tool_use.keep(case.thread, 1, case.key, tool_use.ToolUse())
    )
    reservations.reserve(Case().thread, user)
    stream_slots.acquire(user, 3)
    buckets.take(user, buckets.Bucket("uploads", 40))
    stored_bytes.begin_recount(user)
    recordings.claim(user, "upload-2", 3, 15, 100)
    uploads.announce(user, "upload-1", uploads.StoredUpload(case.thread, "picture", "image/png", None))
    create(user, "laptop")
    ids: dict[str, Any] = {"user_id": user, "thread_id": case.thread, "run_id": case.run, "run_key": case.key}
    run_usage.count(
        EndedRun(**ids, agent="assistant", sequence=1, created_at=clock.now_iso(), ended_at=clock.now_iso())
    )
    _make_webhooks(user, case)
    _connect(user)
    tickets.issue(Caller(user), "assistant")
    workspace = keys.key_of(user, "assistant")
    log.create(workspace, user, "assistant")
    log.append(workspace, log.LogEntry(1, [], 0, "message-1"))
    connections.add(workspace, f"connection of {user}", user, "renderer-1", None)
    connections.open_without_task(f"connection of {user}", user, None)
    connections.remember(user, "renderer-1", "assistant", None)
    now = clock.now_iso()
    job = jobs.StoredJob(Case().thread, user, 1, JOB, case.thread, now, now, now)
    jobs.create(job, 1)
    schedules.put(job)
    job_runs.add(StoredJobRun(job.id, "run-1", case.thread, now, None, now, "started"))
    for key in (uploads.staged_key(user, "upload-1"), f"transcription/{folder_of(user)}/upload-2"):
        objects.put(key, b"a")
    objects.put(path_of(user, "upload-3", "picture", "image/png"), b"a")
    for area in get_args(StorageArea):
        storage.put(area, identity(Grant(user), area), "a/b", b"a")  # type: ignore[arg-type] # no more of it is read
    return case


def _make_webhooks(user: str, case: Case) -> None:
    """Make one of the user and one of the deployment, and a delivery about the user."""
    now = clock.now_iso()
    own = webhooks.StoredWebhook(Case().thread, user, 1, "https://a.example", ("run.completed",), "0", now, now, user)
    webhooks.create(own, 1)
    webhooks.create(replace(own, owner=None), 9)
    event = {"id": case.key, "type": "run.completed", "timestamp": now, "data": {}}
    made = deliveries.create(own.id, event, user)
    attempt = deliveries.StoredAttempt(1, now, 9, 503)
    assert deliveries.record(replace(own, owner=None), made, attempt, "pending", now) is not None


def _connect(user: str) -> None:
    """Make a connection to an MCP server, and a sign-in that has begun."""
    now = clock.now_iso()
    connection = mcp_connections.StoredConnection(
        "c-1", "https://a.example", "https://i.example", "AQ==", "0", now, now
    )
    mcp_connections.save(user, connection)
    mcp_connections.begin(user, "a-state", mcp_connections.StoredSignIn("https://a.example", "AQ==", now))


def _ask(user: str, case: Case) -> None:
    """Make an open question and one that is answered."""
    now = clock.now_iso()
    for kind in ("confirmation", "text"):
        question = questions.Question(
            id=questions.new_id(),
            thread_id=case.thread,
            run_key=case.key,
            run_id=case.run,
            agent="assistant",
            step_id="1" * 32 + ".0001",
            action="steps.ask",
            step_number=1,
            asked_at=now,
            kind=kind,
            message="Shall I?",
            schema={"type": "object"},
            closes_at=questions.closing_time(3_600, now),
            created_at=now,
        )
        table.transact(questions.ask(user, question))
        question_timers.put(user, question.id, datetime.fromisoformat(question.closes_at))
    table.transact(*questions.close(user, question, "answered", "0" * 64, case.key))


@pytest.mark.parametrize("user", ["alice", "auth0|alice"])
def test_everything_of_a_user_goes_and_all_else_stays(user: str, capsys: pytest.CaptureFixture[str]) -> None:
    """SEC-03: items of every kind there is, and objects under every prefix; another user's are as they were."""
    persistent_state.set_value(StateSpace(RUNNER, BINDING, "runner", RUNNER), "shared", 1)
    fill("bob")
    fill(f"{user}/s")  # who had the other's folder for a beginning
    others, their_objects, their_schedules = every_item(), every_object(), every_schedule()
    case = fill(user)
    end_run.end_with_error(case.key, end_run.FAILED)
    mine = [item for item in every_item() if item not in others]
    assert {table.kind_of(item) for item in mine} == {kind for kind in table.KINDS if kind.owner != "nobody"}
    assert {key.partition("/")[0] for key in set(every_object()) - set(their_objects)} == prefixes()

    assert erase(user, only_count=True) == 0
    text = capsys.readouterr().out
    shared = [item for item in mine if "user_id" not in item and item["pk"] == webhooks.OF_DEPLOYMENT]
    assert len(every_item()) == len(others) + len(mine) - len(shared)
    assert f"{len(mine) - len(shared) + len(every_object()) - len(their_objects)} in all; 0 runs are active" in text

    assert erase(user) == 0
    assert sorted(every_item(), key=str) == sorted(others, key=str)
    assert every_object() == their_objects
    assert every_schedule() == their_schedules
    assert erase(user) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "erased 0 items and 0 objects"


def test_a_picture_that_a_tool_of_the_client_answered_goes_with_its_user() -> None:
    """SEC-03, MSG-05: Object, artifact and the run's input are deleted."""
    calls = [{"id": "c-1", "type": "function", "function": {"name": "screenshot", "arguments": "{}"}}]
    messages = [
        {"id": "u-1", "role": "user", "content": "What is on my screen?"},
        {"id": "a-1", "role": "assistant", "toolCalls": calls},
        {"id": "t-1", "role": "tool", "toolCallId": "c-1", "content": [inline(PNG)]},
    ]
    body = {"threadId": "t", "runId": "run-1", "messages": messages}
    followed = send_message.send_message(json.dumps(body).encode(), Caller("alice"), "assistant").subscription
    stream_slots.release(followed.slot)
    (path,) = every_object()
    assert path.startswith(f"{BUCKET}/alice/")
    assert [item["object_key"] for item in every_item() if "object_key" in item] == [path]
    end_run.end_with_error(followed.run_key, end_run.FAILED)
    assert erase("alice") == 0
    assert (every_item(), every_object()) == ([], [])


def prefixes() -> set[str]:
    """What the template lets functions write to in the bucket."""
    text = (STORE.parents[3] / "template.yaml").read_text(encoding="utf-8")
    return set(re.findall(r"\$\{Inputs\.Arn\}/([a-z-]+)/\*", text))


def test_runs_are_stopped_first_and_their_workers_waited_for(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """CAN-01, SES-01: nothing that a worker writes late is left without what says whose it is."""
    monkeypatch.setattr(erase_user, "WORKER_LIVES", timedelta(minutes=15))
    case = fill("alice")
    assert erase("alice") == 3
    assert every_schedule() == []
    assert runs.must_read(case.key).phase == "canceled"
    session = sessions.read(case.thread)
    assert session is not None
    assert session.deleted_at is not None
    assert not list(api_keys.every("alice"))
    assert erase("alice") == 3
    assert "run this again in 15 minutes" in capsys.readouterr().out
    monkeypatch.setattr(erase_user, "WORKER_LIVES", timedelta(0))
    assert erase("alice") == 0
    assert every_item() == []


def test_it_goes_on_wherever_it_was_broken_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """The item that says whose a partition is goes after all others, and the objects before them."""
    end_run.end_with_error(fill("alice").key, end_run.FAILED)
    deleting, removing = erase_user.delete_items, objects.delete
    left = 0

    def one(what: Any, do: Any) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise KeyboardInterrupt
        do(what)

    def one_by_one(keys: Any) -> None:
        for key in keys:
            one([key], deleting)

    monkeypatch.setattr(erase_user, "delete_items", one_by_one)
    monkeypatch.setattr(objects, "delete", lambda key: one(key, removing))
    for _ in range(100):
        left = 3
        try:
            erase("alice")
        except KeyboardInterrupt:
            continue
        break
    assert (every_item(), every_object()) == ([], [])


def test_a_hold_that_ran_out_does_not_make_anothers_session_the_users() -> None:
    """SEC-03, C25: of a partition that is somebody else's, the hold alone goes."""
    case = Case(user="bob")
    reservations.reserve(case.thread, "alice")
    clients.dynamodb().update_item(
        TableName=settings.table_name,
        Key=table.to_wire({"pk": table.session_partition(case.thread), "sk": "RESERVATION"}),
        UpdateExpression="SET expires_at = :past",
        ExpressionAttributeValues=table.to_wire({":past": 1}),
    )
    invoke("submit_run", case.payload("api_gateway_submit_run"))
    before = every_item()
    assert erase("alice") == 0
    assert [table.kind_of(item).what for item in before if item not in every_item()] == ["thread id held for uploads"]


def test_a_table_that_takes_no_more_is_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every wait has a limit."""
    waited: list[float] = []

    class Busy:
        def batch_write_item(self, RequestItems: Any) -> Any:  # noqa: N803 - botocore's name
            return {"UnprocessedItems": RequestItems}

    monkeypatch.setattr(clients, "dynamodb", Busy)
    monkeypatch.setattr(time, "sleep", waited.append)
    with pytest.raises(TimeoutError):
        erase_user.delete_items([table.session_key("a")])
    assert len(waited) == 8


def test_a_stack_that_is_none_of_these_is_refused() -> None:
    template = json.dumps({"Resources": {"Topic": {"Type": "AWS::SNS::Topic"}}})
    boto3.client("cloudformation").create_stack(StackName="other", TemplateBody=template)
    with pytest.raises(LookupError, match="the stack other has no output BucketName"):
        erase_user.main(["--stack", "other", "alice"])
