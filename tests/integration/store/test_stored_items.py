"""Items of every kind as they are stored, and what they read back as: deployed tables have such items.

What the code writes is, attribute by attribute, what `tests/vectors/stored_items.jsonl` has, and that reads back as the
records of `stored_records.jsonl`. Records are written as bare and as full as they may be. `RECORDED=write pytest` of
this file records both anew, for a new kind of item or attribute.
"""

import json
import os
import secrets
import uuid
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import Field, fields, is_dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final
from unittest.mock import patch

import pytest
from pydantic import BaseModel

from tests.support.paths import ROOT
from yarrow.formats import json_text
from yarrow.protocol.automation.job import JobFields
from yarrow.protocol.caller import Caller
from yarrow.protocol.domain_events import EndedRun
from yarrow.protocol.usage import TokenCounts
from yarrow.settings import settings
from yarrow.store import (
    api_keys,
    artifacts,
    branches,
    calendar,
    clients,
    clock,
    devices,
    event_log,
    journal,
    mcp_clients,
    mcp_connections,
    memories,
    objects,
    questions,
    recordings,
    run_hours,
    run_usage,
    runs,
    session_list,
    session_runs,
    sessions,
    table,
    tool_use,
    uploads,
)
from yarrow.store.automation import job_runs, jobs
from yarrow.store.feedback import session_outcomes
from yarrow.store.limits import buckets, refusals, reservations, run_slots, stored_bytes, stream_slots, usage
from yarrow.store.runner import added_messages, contents, grants, kept_once, persistent_state, raised, run_tokens, steps
from yarrow.store.webhooks import deliveries, webhooks
from yarrow.store.workspace import connections, keys, log, tickets

pytestmark = [pytest.mark.usefixtures("aws", "still"), pytest.mark.memory]

ITEMS: Final = ROOT / "tests/vectors/stored_items.jsonl"
RECORDS: Final = ROOT / "tests/vectors/stored_records.jsonl"
NOW: Final = 1_790_000_000
AT: Final = "2026-09-21T13:33:20.000+00:00"
RESPELLED: Final = "550E8400-e29b-41d4-a716-446655440000"
BARE, FULL, DELETED, AGAIN = (f"0000000{number}-e29b-41d4-a716-446655440000" for number in range(4))
PICTURE: Final = sessions.StoredPicture("art_" + "0" * 32, "inputs/alice/a.png", "image/png")
FIELDS: Final = JobFields.model_validate(
    {
        "title": "早安",
        "input_template": "Good morning",
        "enabled_tools": ["get_current_time"],
        "context": {"source": "latest_chat", "window_mode": "day", "window_count": 1},
        "schedule": {"type": "daily", "run_at": {"hour": 7, "minute": 30}},
        "timezone": "Asia/Shanghai",
    }
)
WORKSPACE: Final = keys.key_of("alice", "assistant")


def run_of(thread: str, run_id: str = "run-1", **more: Any) -> runs.Run:
    """The run of a client that says nothing of itself."""
    made: dict[str, Any] = {"agent": "assistant", "runtime_mode": "chat", "fingerprint": "f" * 64, "made_session": True}
    key = runs.key_of("alice", thread, run_id)
    return runs.Run(key=key, user_id="alice", thread_id=thread, run_id=run_id, created_at=AT, **made | more)


BARE_RUN: Final = run_of(BARE)
FULL_RUN: Final = run_of(
    FULL,
    parent_run_id="run-0",
    api_key="0123456789abcdef",
    trace_parent="00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
    from_agui=True,
    message_seq=1,
    begins=True,
    locale="zh-CN",
    zoneinfo="Asia/Shanghai",
    user_name="Alice",
    event_type="automation.job",
    event_source="scheduler",
    workspace=WORKSPACE,
    job="00000000-0000-4000-8000-000000000000",
    fork=runs.Fork(BARE_RUN.key, BARE, "run-1", AT, "a" * 32 + ".0001"),
)
SECOND_RUN: Final = run_of(FULL, "run-2", agent="divination", runtime_mode="follow_up", made_session=False, branch=4)
THIRD_RUN: Final = run_of(FULL, "run-3", made_session=False)
DELETED_RUN: Final = run_of(DELETED)
USED: Final = [{"model": "chat", "inputTokens": 12, "outputTokens": 3}]
OUTPUT: Final = {"type": "plate", "lines": [7, 8, 9]}
ASKED: Final = sessions.StoredMessage(
    "m-1", FULL, 1, "user", "第一问", AT, None, (PICTURE,), "e" * 32, {"name": "Alice"}
)
JOB: Final = jobs.StoredJob("00000000-0000-4000-8000-000000000000", "alice", 1, FIELDS, FULL, AT, AT, AT)
OTHER_JOB: Final = jobs.StoredJob("00000000-0000-4000-8000-000000000001", "bob", 1, FIELDS, BARE, AT, AT, AT, "zh-CN")
GONE_JOB: Final = jobs.StoredJob("00000000-0000-4000-8000-000000000002", "bob", 1, FIELDS, BARE, AT, AT, AT)
JOB_RUN: Final = job_runs.StoredJobRun(JOB.id, "run-1", FULL, "2026-09-21T00:00:00.000+00:00", None, AT, "starting")
FULL_JOB_RUN: Final = job_runs.StoredJobRun(
    JOB.id, "run-2", FULL, "2026-09-22T00:00:00.000+00:00", "2026-09-22T08:00", AT, "starting", "早", {"job_id": JOB.id}
)
BARE_DEVICE: Final = devices.StoredDevice(
    id=devices.id_of("https://push.example.com/1"),
    kind="web",
    endpoint="https://push.example.com/1",
    public_key="BKey",
    secret="secret",
    events=("run.completed",),
    created_at=AT,
    refreshed_at=AT,
)
ENDPOINT: Final = "arn:aws:sns:us-east-1:123456789012:endpoint/GCM/notes/00000000-0000-4000-8000-000000000000"
DEVICES: Final = (
    BARE_DEVICE,
    replace(
        BARE_DEVICE,
        id=devices.id_of_app("fcm", "token"),
        kind="fcm",
        endpoint=ENDPOINT,
        public_key=None,
        secret=None,
    ),
    replace(
        BARE_DEVICE,
        id=devices.id_of("https://push.example.com/2"),
        endpoint="https://push.example.com/2",
        events=("run.completed", "run.failed", "interrupt.opened"),
        include=("answer", "question"),
        while_watched=True,
        name="Firefox",
    ),
)
START: Final = datetime(2026, 11, 2, 9, tzinfo=UTC)
EVENT: Final = calendar.CalendarEvent("standup", START, START + timedelta(hours=1), "UTC")
NOTED: Final = calendar.CalendarEvent("lunch", START, START + timedelta(hours=2), "UTC", "with Bob")
MOVED: Final = calendar.CalendarEvent("dinner", START + timedelta(hours=9), START + timedelta(hours=11), "UTC")
CONVERSATION: Final = persistent_state.StateSpace("runner", "binding", "conversation", FULL, "alice")
ELSEWHERE: Final = persistent_state.StateSpace("runner", "binding", "runner", "runner")
OUTCOME: Final = session_outcomes.StoredOutcome("partly", "a note", "run-1", AT)
PLAIN_OUTCOME: Final = session_outcomes.StoredOutcome("came_true", None, None, AT)
KEY: Final = api_keys.StoredApiKey("key-1", "a" * 64, "alice", "laptop", AT, "wxyz")
LOGGED: Final = event_log.LoggedEvent(FULL, FULL_RUN.key, AT, "message.received", "api")
FULL_LOGGED: Final = event_log.LoggedEvent(
    FULL, SECOND_RUN.key, AT, "x", "scheduler", "y", 5, "user", "alice", "job", "j", "z" * 1_001, 7
)
CALL: Final = tool_use.StoredCall("call-1", "get_weather", "{}", "sunny")
TOOL_USE: Final = tool_use.ToolUse(
    (tool_use.Round("m-2", (CALL,), "Let me see"), tool_use.Round(None, (CALL._replace(id="c-2"),))), {}
)
STREAMS: Final = buckets.Bucket("streams", 30)


@pytest.fixture
def still(monkeypatch: pytest.MonkeyPatch) -> None:
    """Time stands still, and what is random is not."""
    monkeypatch.setattr(clock, "now_iso", lambda: AT)
    monkeypatch.setattr(clock, "now", lambda: datetime.fromisoformat(AT))
    monkeypatch.setattr(clock, "now_ms", lambda: NOW * 1000)
    monkeypatch.setattr(clock, "epoch_in", lambda days: NOW + days * 86_400)
    for module in (artifacts, recordings, reservations, stream_slots, tickets):
        monkeypatch.setattr(module, "time", SimpleNamespace(time=lambda: float(NOW)))
    for module in (mcp_connections, recordings, stream_slots):
        monkeypatch.setattr(module, "uuid", SimpleNamespace(uuid4=lambda: uuid.UUID(int=0)))
    monkeypatch.setattr(secrets, "token_urlsafe", lambda _: "ticket")
    monkeypatch.setattr(objects, "put", lambda *_: None)


def _create(
    run: runs.Run, session: sessions.Session | None, messages: list[sessions.StoredMessage], *others: Any, **more: Any
) -> None:
    plan = runs.RunPlan(run, '{"runId":"1"}', '{"type":"RUN_STARTED"}', messages, others=others, **more)
    runs.create(plan, session)


def _finish(run: runs.Run, *answers: runs.OutputMessage, **more: Any) -> None:
    session = sessions.must_read(run.thread_id)
    at = journal.last_batch(run.key).end
    waited = 12 if run.key == FULL_RUN.key else None
    runs.finish(run, session, runs.RunOutcome(answers, **more), [], at, ['{"type":"RUN_FINISHED"}'], waited)


def _write_runs_and_sessions() -> None:
    _create(BARE_RUN, None, [])
    slot = run_slots.add("alice", FULL_RUN.key, 3, buckets.draw(buckets.Bucket("runs", 30), None))
    slot_of_bob = run_slots.add(
        "bob", "b", 0, buckets.draw(buckets.Bucket("run_bytes", 30), {"run_bytes_full_at": NOW})
    )
    file = {"run_key": FULL_RUN.key, "artifact_type": "image", "mime_type": "image/png", "object_key": PICTURE.path}
    artifact = artifacts.refer(
        artifacts.reference(PICTURE.artifact_id, thread_id=FULL, user_id="alice", size_bytes=9, **file)
    )
    others = [event_log.record(LOGGED), artifact, *slot, *slot_of_bob]
    _create(FULL_RUN, None, [ASKED], *others, topic={"question": "第一问"})
    first = runs.claim(FULL_RUN.key)
    assert first is not None
    assert runs.beat(first)
    at = journal.append(first.key, 1, journal.AFTER_FIRST, ['{"type":"STEP_STARTED"}', '{"type":"STEP_ENDED"}'], "w")
    journal.append(first.key, 1, at, [])
    _finish(
        first,
        runs.OutputMessage("m-2", "answer"),
        runs.OutputMessage("m-3", "more", OUTPUT),
        tool_calls=TOOL_USE,
        usage=USED,
    )
    session = sessions.must_read(FULL)
    stored = list(sessions.messages(FULL))
    update = session_runs.BranchUpdate((branches.Branch(4, 1, 2, AT),), stored[0], stored[1], unanswered=False)
    again = sessions.StoredMessage("m-4", FULL, 4, "user", "again", AT)
    adopted = tool_use.adopt(FULL, 3, SECOND_RUN.key, TOOL_USE, [{"id": "m-9"}], 4)
    more: dict[str, Any] = {"branch_update": update, "topic": {"question": "again"}}
    _create(SECOND_RUN, session, [again], adopted, event_log.record(FULL_LOGGED), **more)
    runs.end_without_answer(SECOND_RUN, sessions.must_read(FULL), None, journal.AFTER_FIRST, ["{}"], "failed")
    _create(THIRD_RUN, sessions.must_read(FULL), [])
    for thread in (DELETED, AGAIN):
        run = run_of(thread)
        _create(run, None, [sessions.StoredMessage("m-1", thread, 1, "user", "?", AT)], topic={"question": "?"})
        claimed = runs.claim(run.key)
        assert claimed is not None
        _finish(claimed, runs.OutputMessage("m-2", "!"))
    back = session_runs.BranchUpdate((branches.Branch(3, -1, 0),), None, None, unanswered=True)
    more = {"branch_update": back, "topic": {"question": "first"}}
    lasting = run_of(AGAIN, "run-2", made_session=False, workspace="w", max_minutes=90)
    _create(lasting, sessions.must_read(AGAIN), [], **more)
    claimed = runs.claim(lasting.key)
    assert claimed is not None
    assert runs.hand_over(claimed, AT, runs.ModelUse(2, 700))
    sessions.mark_deleted(sessions.must_read(DELETED))


def _write_what_sessions_have() -> None:
    session_outcomes.record("alice", FULL, PLAIN_OUTCOME, None)
    session_outcomes.record("alice", FULL, OUTCOME, "came_true")
    session_outcomes.record("alice", AGAIN, PLAIN_OUTCOME, None)
    file: dict[str, Any] = {"thread_id": FULL, "user_id": "alice", "run_key": "r", "runner_id": "runner"}
    file |= {"artifact_type": "file", "mime_type": "text/plain"}
    artifacts.create("art_" + "1" * 32, data=b"text", **file)
    artifacts.create("art_" + "2" * 32, data=b"", name="a.txt", metadata={"a": 1}, **file)
    for event in (EVENT, NOTED, MOVED):
        calendar.add(FULL, "run-key", event)
    later = calendar.CalendarEvent("late dinner", MOVED.starts_at, MOVED.ends_at, "UTC")
    calendar.change(FULL, "run-key", MOVED.id_in(FULL), lambda _: later)
    calendar.change(FULL, "run-key", EVENT.id_in(FULL), lambda _: None, "step-key")
    reservations.reserve(RESPELLED, "alice")
    for space in (CONVERSATION, ELSEWHERE):
        for key in ("a", "b", "c"):
            persistent_state.set_value(space, key, {"value": [1, None, "文"]})
        persistent_state.set_value(space, "a", 2)
        persistent_state.delete(space, "b")
        table.transact(*persistent_state.keep(space, {"d": True}))


STEPS: Final = (
    steps.Step("a" * 32 + ".0001", "state.set", 1, 1, AT, ms=0, outcome="ok", result="{}"),
    steps.Step(
        "b" * 32 + ".0002",
        "models.invoke",
        2,
        1,
        AT,
        name="chat",
        ms=1_500,
        outcome="rate_limited",
        error={"code": "rate_limited", "message": "later", "retryable": True, "details": {}},
        input_tokens=70,
        output_tokens=7,
        reads={"c" * 32 + ".0001": {"value": [1, None, "文"]}},
        part="f" * 32,
    ),
    steps.Step("d" * 32 + ".0001", "steps.begin", 3, 0, AT, "pay", "never", 9, "ok", '{"value":7}'),
    steps.Step("e" * 32 + ".0001", "tools.call", 4, 1, AT, "search", ms=20, outcome="ok", result="1" * 40_000),
)


RAISED: Final = raised.Raised(
    1,
    [
        {
            "type": "ValueError",
            "message": "第一",
            "frames": [{"file": "a.py", "line": 3, "function": "run", "code": "raise ValueError"}],
        }
    ],
)


REFUSED: Final = contents.Refusal("07", 1, AT, "tools.call", "not_found", "there is no such resource", "transfer")


def _write_what_runs_have() -> None:
    kept_once.keep(FULL_RUN.key, "CAST", "第一问", {"backs": [3, 0, 1, 2, 2, 1]})
    grants.keep(FULL_RUN.key, grants.StoredGrant('{"tools":[]}', 1, "3f9a0b1c2d4e echo 1.0", is_remote=True))
    table.transact(raised.keep(FULL_RUN.key, RAISED))
    contents.keep(FULL_RUN.key, contents.CallContents("a" * 32 + ".0001", 1, {"messages": [], "tools": []}))
    contents.refuse(FULL_RUN.key, REFUSED)
    for name in ("a-1", "a-2"):
        added_messages.add(BARE_RUN, name, "and tomorrow?")
    assert added_messages.take(BARE_RUN.key, "b" * 32 + ".0001", BARE_RUN.attempt, 1)
    run_tokens.replace(FULL_RUN.key, run_tokens.StoredToken("b" * 64, 1, "runner"), NOW + 60)
    run_tokens.count_call(FULL_RUN.key, 0)
    run_tokens.count_call(FULL_RUN.key, 1_500)
    run_tokens.replace(BARE_RUN.key, run_tokens.StoredToken("c" * 64, 1, "runner"), NOW + 60)
    run_tokens.remove(BARE_RUN.key, "c" * 64)
    for step in STEPS:
        if step.retry == "never":
            steps.begin(THIRD_RUN.key, replace(step, ms=None, outcome=None, result=None), THIRD_RUN.key)
        steps.end(THIRD_RUN.key, step)


QUESTIONS: Final = (
    questions.Question(
        id="0196" + "a" * 28,
        thread_id=FULL,
        run_key=FULL_RUN.key,
        run_id=FULL_RUN.run_id,
        agent="assistant",
        step_id="f" * 32 + ".0001",
        action="steps.ask",
        step_number=2,
        asked_at=AT,
        kind="choice",
        message="Which of the two?",
        schema={"type": "string", "enum": ["a", "b"]},
        closes_at=AT,
        created_at=AT,
        labels={"a": "甲"},
        details={"options": [{"value": "a", "label": "甲"}, {"value": "b"}]},
    ),
    questions.Question(
        id="0196" + "b" * 28,
        thread_id=FULL,
        run_key=FULL_RUN.key,
        run_id=FULL_RUN.run_id,
        agent="assistant",
        step_id="f" * 32 + ".0002",
        action="tools.approve",
        step_number=3,
        asked_at=AT,
        kind="confirmation",
        message="Shall I?",
        schema={"type": "object"},
        closes_at=AT,
        created_at=AT,
        tool_call_id="call-1",
        step_name="send",
    ),
)


def _write_questions() -> None:
    for question in QUESTIONS:
        table.transact(questions.ask("alice", question))
    table.transact(*questions.close("alice", QUESTIONS[1], "answered", "a" * 64, SECOND_RUN.key))


def _write_what_users_have() -> None:
    for number in range(3):
        stream_slots.acquire("alice", 5, f"run-{number}", [(STREAMS, 1)], None)
    one = stream_slots.acquire("bob", 5, "run")
    assert one is not None
    stream_slots.renew(one)
    stream_slots.release(one, (buckets.Bucket("stream_bytes", 30), 100))
    buckets.take_all("alice", (buckets.Bucket("signed_urls", 30), 1), (buckets.Bucket("uploads", 0), 1))
    buckets.charge("alice", buckets.Bucket("tokens", 10), 100)
    stored_bytes.begin_recount("alice")
    stored_bytes.add("alice", 100, 1_000)
    stored_bytes.give_back("alice", 30)
    stored_bytes.finish_recount(stored_bytes.Recount("alice", 0), 7)
    uploads.announce("alice", "up-1", uploads.StoredUpload(FULL, "plate", "image/png", None))
    uploads.announce("alice", "up-2", uploads.StoredUpload(FULL, "plate", None, None))
    uploads.finish("alice", "up-2", uploads.StoredUpload(FULL, "plate", None, "inputs/alice/b.png"))
    for upload_id in ("up-3", "up-4", "up-5"):
        claim = recordings.claim("alice", upload_id, 3, 20, 600)
        assert claim is not None
        if upload_id == "up-4":
            recordings.finish(claim)
        if upload_id == "up-5":
            recordings.give_up(claim)
    recordings.claim("bob", "up-1", 3, 20, 0)
    day = usage.reserve_tokens("alice", 500, 1_000)
    assert day is not None
    usage.settle_tokens(day, -100)
    for text in ("I like tea", "I have a cat"):
        memories.save("alice", text)
    memories.forget("alice", memories.id_of("alice", "I like tea"))
    for device in DEVICES:
        devices.save("alice", device)
    devices.save("bob", replace(DEVICES[0], id=devices.id_of("https://push.example.com/gone")))
    devices.remove("bob", devices.id_of("https://push.example.com/gone"))
    api_keys.add(KEY)
    api_keys.add(api_keys.StoredApiKey("key-2", "b" * 64, "bob", "", AT, "abcd", operates=True))
    api_keys.revoke("key-2")


def _write_usage() -> None:
    ids = {"user_id": "alice", "thread_id": FULL, "run_id": "run-1", "sequence": 1, "created_at": AT, "ended_at": AT}
    full = TokenCounts(
        provider="p",
        model="m",
        input_tokens=9,
        output_tokens=8,
        total_tokens=17,
        reasoning_tokens=1,
        cached_input_tokens=2,
        cache_write_input_tokens=3,
    )
    used = (full, TokenCounts(model="n", input_tokens=1))
    by_key: dict[str, Any] = {**ids, "api_key": "0123456789abcdef"}
    assert run_usage.count(EndedRun(**by_key, run_key="u-1", agent="assistant", usage=used))
    assert run_usage.count(EndedRun(**ids, run_key="u-2", agent="divination"))  # type: ignore[arg-type]
    failed: dict[str, Any] = {**ids, "job_id": "j-1", "code": "RUN_LOST"}
    both = run_hours.writes(EndedRun(**failed, run_key="u-3", agent="assistant", usage=used), "run.failed")
    asked: dict[str, Any] = {**ids, "outcome": "interrupt"}
    table.transact(*both, *run_hours.writes(EndedRun(**asked, run_key="u-4", agent="divination"), "run.completed"))
    for limit in ("uploads", "uploads", None):
        refusals.count("AGENT_RATE_LIMIT" if limit else "AGENT_RUN_LIMIT", limit)


def _write_webhooks() -> None:
    bare = webhooks.StoredWebhook("w-1", "ops", 1, "https://a.example/in", ("run.completed",), "0f", AT, AT)
    webhooks.create(bare, 2)
    full = replace(bare, id="w-2", owner="alice", user_id="alice", agents=("assistant",), include=("answer",))
    webhooks.create(replace(full, description="mine"), 2)
    rotated = webhooks.change(full, replace(full, salt="1f", previous_salt="0f", previous_until=AT))
    assert rotated is not None
    webhooks.failed(rotated, AT)
    assert webhooks.disable(rotated, "failures") is not None
    event = {"id": "run-key-ended", "type": "run.completed", "timestamp": AT, "data": {"userId": "alice"}}
    deliveries.create("w-1", event, "alice")
    made = deliveries.create("w-1", event | {"id": "other"}, "alice")
    attempt = deliveries.StoredAttempt(1, AT, 12, 503, None, "busy")
    tried = deliveries.record(bare, made, attempt, "failed", AT)
    assert tried is not None
    assert deliveries.replay("w-1", tried) is not None
    waits = deliveries.create("w-1", event | {"id": "waits"}, "alice")
    assert deliveries.record(bare, waits, attempt, "pending", AT) is not None


def _write_mcp_connections() -> None:
    connection = mcp_connections.StoredConnection(
        "c-1", "https://a.example/mcp", "https://i.example", "AQ==", "0f", AT, AT
    )
    mcp_connections.save("alice", connection)
    for name in ("c-2", "c-3"):
        mcp_connections.save("alice", replace(connection, id=name, ends_at=AT))
    assert mcp_connections.renew("alice", replace(connection, id="c-2"), "AA== AQ==", None)
    claim = mcp_connections.claimed("alice", replace(connection, id="c-3"))
    assert claim is not None
    assert mcp_connections.lapse("alice", "c-3", claim)
    mcp_connections.save("bob", connection)
    assert mcp_connections.claimed("bob", connection) is not None
    for state in ("a-state", "b-state"):
        begun = mcp_connections.StoredSignIn("https://a.example/mcp", "AQ==", AT, "c-1", "client-1")
        mcp_connections.begin("alice", state, begun)
    own = mcp_clients.StoredClient(
        "client-1", "https://a.example/mcp", "https://i.example", "https://c.example/", "AQ==", AT
    )
    assert mcp_clients.keep(own, None)
    other = replace(own, url="https://b.example/mcp", ends_at=AT)
    assert mcp_clients.keep(replace(other, id="client-0"), None)
    assert mcp_clients.keep(other, replace(other, id="client-0"))
    mcp_connections.fail("alice", "b-state", "MCP_SIGN_IN_FAILED", "the server took too long")


def _write_jobs() -> None:
    for job in (JOB, OTHER_JOB, GONE_JOB):
        jobs.create(job, 5)
    jobs.mark_scheduled(JOB)
    paused = jobs.pause(JOB, "failures")
    assert paused is not None
    jobs.change_thread(paused, AGAIN)
    jobs.ran(JOB.id, AT)
    other = jobs.pause(OTHER_JOB, "failures")
    assert other is not None
    jobs.change(other, FIELDS)
    jobs.mark_deleted(GONE_JOB)
    jobs.forget(GONE_JOB.id)
    for run in (JOB_RUN, FULL_JOB_RUN):
        job_runs.add(run)
    job_runs.move(FULL_JOB_RUN, AGAIN)
    job_runs.settle(FULL_JOB_RUN, "refused", "AGENT_RUN_LIMIT")


def _write_workspaces() -> None:
    log.create(WORKSPACE, "alice", "assistant")
    for number in (1, 2):
        log.append(WORKSPACE, log.LogEntry(number, [{"do": "open", "at": number}], NOW * 1000 + number, "cause"))
    log.note_session(WORKSPACE, "session-1")
    stored = log.read(WORKSPACE)
    assert stored is not None
    log.compact(WORKSPACE, stored, {"sessions": ["s"]})
    log.create(keys.key_of("bob", "assistant"), "bob", "assistant")
    connections.add(WORKSPACE, "c-1", "alice", None, None)
    connections.add(WORKSPACE, "c-2", "alice", "tag", "session-1")
    connections.ask(WORKSPACE, "c-2")
    connections.show(WORKSPACE, "c-2", "session-2", NOW * 1000)
    assert connections.take(WORKSPACE, "c-2", "me", NOW * 1000 + 20_000) is not None
    assert connections.take(WORKSPACE, "c-2", "another", NOW * 1000 + 30_000) is None
    connections.renew(WORKSPACE, "c-2", "me", NOW * 1000 + 25_000)
    connections.add(WORKSPACE, "c-3", "alice", "tag", None)
    lease = connections.take(WORKSPACE, "c-3", "me", NOW * 1000 + 20_000)
    assert lease is not None
    connections.release(WORKSPACE, "me", lease.connection, sent_through=2, answered=1, due_at=9)
    connections.add(WORKSPACE, "c-4", "alice", "tag", None)
    connections.take(WORKSPACE, "c-4", "me", NOW * 1000 + 20_000)
    connections.give_up(WORKSPACE, "c-4", "me")
    connections.open_without_task("c-5", "alice", None)
    connections.open_without_task("c-6", "alice", "assistant")
    connections.remember("alice", "tag", "assistant", "session-1")
    connections.remember("alice", "other", "assistant", None)
    tickets.issue(Caller("bob"), "assistant")
    with patch.object(secrets, "token_urlsafe", lambda _: "other"):
        ticket = tickets.issue(Caller("alice", "zh-CN", "Asia/Shanghai"), "assistant")
    assert tickets.redeem(ticket, "c-2", "assistant", "tag") is not None


def write() -> None:
    """Store items of every kind."""
    _write_runs_and_sessions()
    _write_what_sessions_have()
    _write_what_runs_have()
    _write_questions()
    _write_what_users_have()
    _write_usage()
    _write_webhooks()
    _write_mcp_connections()
    _write_jobs()
    _write_workspaces()


def shown(attribute: Mapping[str, Any]) -> dict[str, Any]:
    """An attribute value as JSON: sets sorted, what is compressed unpacked."""
    ((kind, value),) = attribute.items()
    if kind == "B":
        return {"B": zlib.decompress(value).decode()}
    return {kind: sorted(value) if kind == "SS" else value}


def hidden(attribute: Mapping[str, Any]) -> dict[str, Any]:
    """Return the reverse of `shown`."""
    ((kind, value),) = attribute.items()
    return {kind: zlib.compress(value.encode()) if kind == "B" else value}


def plain(value: Any) -> Any:
    """A record as JSON, without what is as by default: a member that is added later changes no record of now."""
    match value:
        case datetime():
            return value.isoformat()
        case BaseModel():
            return value.model_dump(mode="json", exclude_defaults=True)
        case Mapping():
            return {str(name): plain(member) for name, member in value.items()}
        case tuple() | list():
            return [plain(item) for item in value]
        case frozenset() | set():
            return sorted(value)
        case _ if is_dataclass(value):
            found = {field.name: (getattr(value, field.name), field) for field in fields(value)}
            return {name: plain(key) for name, (key, of) in found.items() if key not in (None, _default(of))}
    return value


def _default(of: Field[Any]) -> Any:
    return of.default_factory() if callable(of.default_factory) else of.default


def stored_items() -> list[dict[str, Any]]:
    found = clients.dynamodb().scan(TableName=settings.table_name)["Items"]
    items = [{name: shown(value) for name, value in sorted(item.items())} for item in found]
    return sorted(items, key=lambda item: (item["pk"]["S"], item["sk"]["S"]))


def _reads() -> Iterator[tuple[str, Any]]:
    for run in (BARE_RUN, FULL_RUN, SECOND_RUN, THIRD_RUN, DELETED_RUN):
        yield run.run_id, runs.read(run.key)
        yield "input", runs.read_input(run.key)
        yield "journal", list(journal.read(run.key, journal.Position()))
    for thread in (BARE, FULL, DELETED, AGAIN):
        yield "session", sessions.read(thread)
        yield "messages", list(sessions.messages(thread))
        yield "turns", tool_use.since(thread, 0, 100_000)
        yield "turns", list(tool_use.runs_after(thread, 0, 9, 9))
        yield "events", event_log.page(thread).items
    yield "answers", session_list.latest_answers("alice", 9)
    yield "chat", session_list.latest_chat("alice")
    for number in (0, 1, 2):
        yield "artifact", artifacts.metadata(f"art_{str(number) * 32}", FULL)
        yield "artifact", artifacts.object_of(f"art_{str(number) * 32}", FULL, "alice")
    yield "calendar", list(calendar.between(FULL, START, START + timedelta(days=1)))
    yield "moved", calendar.change(FULL, "run-key", MOVED.id_in(FULL), lambda event: event)
    yield "deleted", calendar.change(FULL, "run-key", EVENT.id_in(FULL), lambda event: event)
    for space in (CONVERSATION, ELSEWHERE):
        yield "state", (persistent_state.read_all(space), persistent_state.keys(space))
    for thread in (FULL, AGAIN, DELETED):
        yield "outcome", session_outcomes.read("alice", thread)
    yield "outcomes", sorted(session_outcomes.counts("alice").items())
    yield "coins", kept_once.keep(FULL_RUN.key, "CAST", "第一问", {"backs": [0] * 6})["backs"]
    yield "questions", questions.read("alice", [question.id for question in QUESTIONS])
    yield "open questions", list(questions.open_of("alice", 10))
    yield "steps", list(steps.read_all(THIRD_RUN.key))
    yield "step", steps.loaded(THIRD_RUN.key, STEPS[-1])
    yield "grant", grants.read(FULL_RUN.key)
    yield "contents", contents.read(FULL_RUN.key, "a" * 32 + ".0001")
    yield "refused", contents.refusals(FULL_RUN.key)
    yield "added", added_messages.read_all(BARE_RUN.key)
    for run in (BARE_RUN, FULL_RUN):
        yield "token", run_tokens.read(run.key)
    for upload_id in ("up-1", "up-2", "up-3", "up-4", "up-5"):
        yield "upload", uploads.read("alice", upload_id)
        yield "recording", recordings.read("alice", upload_id)
    yield "tokens", usage.tokens(table.get(usage.key("alice")))
    yield "slots", sorted(run_slots.stored(table.get(run_slots.key("alice"))))
    yield "watched", [stream_slots.is_watched("alice", run) for run in ("run-1", "run-9")]
    yield "memories", memories.of_user("alice")
    for user in ("alice", "bob"):
        yield "devices", devices.of_user(user)
    yield "keys", list(api_keys.every())
    yield "usage", [row for _, row in run_usage.read(AT[:10], None, None, 10)]
    yield "hours", list(run_hours.read(AT[:10]))
    yield "refusals", list(refusals.read(AT[:10]))
    for owner in (None, "alice"):
        yield "webhooks", webhooks.of(owner)
    for user in ("alice", "bob"):
        yield "MCP connections", mcp_connections.of_user(user)
    yield "MCP clients", [mcp_clients.read(f"https://{name}.example/mcp", "https://i.example") for name in "ab"]
    yield "deliveries", deliveries.latest("w-1", 9, None)
    yield "deliveries that wait", deliveries.waiting()
    for user in ("alice", "bob"):
        yield "jobs", jobs.of_user(user)
    yield "job", jobs.read(GONE_JOB.id)
    yield "listed", list(jobs.listed("0", "g"))
    yield "job runs", job_runs.latest(JOB.id, 9)
    for user in ("alice", "bob"):
        yield "workspace", log.read(keys.key_of(user, "assistant"))
    for connection_id in ("c-5", "c-6", "c-7"):
        yield "opened", connections.opened(connection_id)
    for tag in ("tag", "other", "none"):
        yield "page", connections.page("alice", tag)
    yield "ticket", tickets.redeem("other", "c-3", None, "tag")


def records() -> list[dict[str, Any]]:
    return [{"read": name, "as": plain(value)} for name, value in _reads()]


def recorded(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def _record(file: Path, lines: Iterable[Mapping[str, Any]]) -> None:
    if os.environ.get("RECORDED") == "write":
        file.write_text("".join(json_text.dumps(line) + "\n" for line in lines), encoding="utf-8")


def test_items_are_stored_as_they_were() -> None:
    """Every key and every attribute: a deployment's table is read by the version before and after this one."""
    write()
    _record(ITEMS, stored_items())
    assert stored_items() == recorded(ITEMS)


def test_items_of_every_kind_are_recorded() -> None:
    found = [{name: item[name]["S"] for name in ("pk", "sk")} for item in recorded(ITEMS)]
    assert {table.kind_of(key) for key in found} == set(table.KINDS)


def test_items_that_are_stored_read_back() -> None:
    """As the code read them that recorded them."""
    for item in recorded(ITEMS):
        stored = {name: hidden(value) for name, value in item.items()}
        clients.dynamodb().put_item(TableName=settings.table_name, Item=stored)
    found = records()
    _record(RECORDS, found)
    assert found == recorded(RECORDS)
