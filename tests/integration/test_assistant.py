"""The assistant from submit to answer, offline: a script stands in for the model, everything else is real."""

import json
import uuid
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from moto import mock_aws

from local import resources
from local.stack import Stack
from tests.integration.deployment import configured
from tests.journals import numbered
from yarrow.host import execution
from yarrow.host.submission import submit_run
from yarrow.protocol.caller import Caller
from yarrow.protocol.event_order import EventOrder
from yarrow.settings import settings
from yarrow.store import calendar, clients, sessions
from yarrow.store.calendar import CalendarEvent

ALICE = Caller("alice", "zh-CN", "Asia/Shanghai")
CLIENT_TIME = {
    "device_timezone": "America/Los_Angeles",
    "client_now_iso": "2026-03-16T09:12:33-07:00",
    "client_epoch_ms": 1_773_652_353_000,
}
CONFIRM = {"name": "confirmAction", "description": "请求用户确认操作", "parameters": {"type": "object"}}


Events = list[dict[str, Any]]
Told = Callable[..., Events]


@pytest.fixture(scope="module", autouse=True)
def deployed(stack: Stack, dynamodb: str) -> Iterator[None]:
    """One deployment for all of these tests: each has sessions of its own."""
    with configured(stack, AWS_ENDPOINT_URL_DYNAMODB=dynamodb), mock_aws():
        resources.create(stack)
        yield
        clients.dynamodb().delete_table(TableName=settings.table_name)


@pytest.fixture
def thread() -> str:
    """A session."""
    return str(uuid.uuid4())


@pytest.fixture
def told(thread: str) -> Told:
    """Every event of a run that is submitted and worked on."""

    def run(
        run_id: str, text: str, *others: dict[str, Any], mode: str = "chat", caller: Caller = ALICE, **members: Any
    ) -> Events:
        props = {"runtime_mode": mode, **members.pop("props", {})}
        messages = [{"id": "msg-1", "role": "user", "content": text}, *others]
        body = {"threadId": thread, "runId": run_id, "messages": messages, "forwardedProps": props, **members}
        run_key = submit_run(json.dumps(body).encode(), caller, agent="assistant").task_id
        execution.work(run_key)
        lines = [line for _, line in numbered(run_key)]
        EventOrder().replay(lines)
        return [json.loads(line) for line in lines]

    return run


def types(events: Events) -> list[str]:
    """Their types, of a message's pieces only the first, without the stages."""
    inner = [event["type"] for event in events if not event["type"].startswith("STEP_")]
    return [each for before, each in zip(["", *inner], inner, strict=False) if each != before]


def text(events: Events) -> str:
    return "".join(event["delta"] for event in events if event["type"] == "TEXT_MESSAGE_CONTENT")


def results(events: Events) -> list[Any]:
    return [json.loads(event["content"]) for event in events if event["type"] == "TOOL_CALL_RESULT"]


def written(thread: str) -> list[CalendarEvent]:
    """The calendar of the session in that week."""
    since = datetime(2026, 3, 15, tzinfo=UTC)
    return list(calendar.between(thread, since, since + timedelta(days=7)))


WRITE = '/call calendar_write {"title": "开会", "starts_at": "2026-03-17T09:00:00"'
BERLIN = Caller("alice", "zh-CN", "Europe/Berlin")


def test_a_message_is_answered_and_kept(told: Told, thread: str) -> None:
    """EVT-07 … EVT-09, EVT-17, RNR-39: by a script, which says so."""
    events = told("run-1", "你好")
    assert types(events) == [
        "RUN_STARTED",
        "TEXT_MESSAGE_START",
        "TEXT_MESSAGE_CONTENT",
        "TEXT_MESSAGE_END",
        "RUN_FINISHED",
    ]
    assert "您说：“你好”" in text(events)
    assert [(each.role, each.content) for each in sessions.messages(thread)] == [
        ("user", "你好"),
        ("assistant", text(events)),
    ]


@pytest.mark.parametrize(
    ("named", "props", "caller", "zone", "begins"),
    [
        (', "event_timezone": "Asia/Tokyo"}', {"client_time": CLIENT_TIME}, BERLIN, "Asia/Tokyo", "+09:00"),
        ("}", {"client_time": CLIENT_TIME}, BERLIN, "America/Los_Angeles", "-07:00"),
        ("}", {}, BERLIN, "Europe/Berlin", "+01:00"),
        ("}", {}, Caller("alice"), "UTC", "+00:00"),
    ],
)
def test_an_event_is_written_where_the_user_is(
    told: Told, thread: str, named: str, props: dict[str, Any], caller: Caller, zone: str, begins: str
) -> None:
    """FWD-07, FWD-08, FWD-10: as told, else as device, profile or UTC have it; the call that is told says which."""
    events = told("run-1", WRITE + named, props=props, caller=caller)
    (event,) = written(thread)
    assert (event.title, event.event_timezone) == ("开会", zone)
    assert event.starts_at.isoformat() == f"2026-03-17T09:00:00{begins}"
    assert event.ends_at - event.starts_at == timedelta(hours=1)
    arguments = [each["delta"] for each in events if each["type"] == "TOOL_CALL_ARGS"]
    assert json.loads("".join(arguments))["event_timezone"] == zone
    assert results(events)[0]["starts_at"] == event.starts_at.isoformat()
    assert types(events)[1:5] == ["TOOL_CALL_START", "TOOL_CALL_ARGS", "TOOL_CALL_END", "TOOL_CALL_RESULT"]


def test_what_was_written_is_read(told: Told) -> None:
    """FWD-09, TOOL-04: in the same session, by another run; several tools may be called at once."""
    told("run-1", f"{WRITE}}}")
    day = '{"day": "2026-03-17"}'
    found = results(told("run-2", f"/call calendar_read {day}\n/call get_current_time {{}}"))
    (events,), (now,) = ([each for each in found if isinstance(each, kind)] for kind in (list, dict))
    assert [event["title"] for event in events] == ["开会"]
    assert now["time_zone"] == "Asia/Shanghai"


def test_a_tool_that_refuses_is_told_to_model_and_client(told: Told, thread: str) -> None:
    """RNR-53, RNR-62."""
    events = told("run-1", '/call calendar_write {"title": "", "starts_at": "2026-03-17T09:00:00"}')
    assert [list(each) for each in results(events)] == [["error"]]
    assert "invalid_argument" not in text(events)
    assert events[-1]["type"] == "RUN_FINISHED"
    assert written(thread) == []


def test_an_automation_without_a_job_has_neither_tools_nor_past(told: Told, thread: str) -> None:
    """AUT-04, FWD-12."""
    told("run-1", "早上好")
    events = told("run-2", WRITE + "}", mode="automation")
    assert "TOOL_CALL_START" not in types(events)
    assert "这里没有工具“calendar_write”" in text(events)
    assert written(thread) == []


def test_the_client_runs_its_tool_and_the_next_run_goes_on(told: Told) -> None:
    """EVT-20, EVT-21, EVT-23, TOOL-03: and a result nobody waits for changes nothing."""
    asked = '/call confirmAction {"action": "删除临时文件", "count": 15}'
    events = told("run-1", asked, tools=[CONFIRM])
    assert types(events) == ["RUN_STARTED", "TOOL_CALL_START", "TOOL_CALL_ARGS", "TOOL_CALL_END", "RUN_FINISHED"]
    call_id = events[[event["type"] for event in events].index("TOOL_CALL_START")]["toolCallId"]
    arguments = "".join(event["delta"] for event in events if event["type"] == "TOOL_CALL_ARGS")
    function = {"name": "confirmAction", "arguments": arguments}
    assistant = {
        "id": "msg-2",
        "role": "assistant",
        "toolCalls": [{"id": call_id, "type": "function", "function": function}],
    }
    answer = {"id": "msg-3", "role": "tool", "toolCallId": call_id, "content": "confirmed"}
    following = told("run-2", asked, assistant, answer, tools=[CONFIRM])
    assert "“confirmAction”的结果：confirmed" in text(following)
    assert "TOOL_CALL_START" not in types(following)
    again = told("run-3", asked, assistant, answer, tools=[CONFIRM])
    assert types(again) == types(events)


# ---- The calendar's store --------------------------------------------------------------------------------------------
def event(title: str, hour: int) -> CalendarEvent:
    at = datetime(2026, 3, 17, hour, tzinfo=UTC)
    return CalendarEvent(title, at, at + timedelta(hours=1), "UTC", "notes" if hour % 2 else None)


def test_a_calendar_is_its_session_s_own_and_in_order(thread: str) -> None:
    """FWD-10, SEC-08: as it was written, in whatever order and by whatever spelling of the thread."""
    for title, hour in (("b", 10), ("c", 11), ("a", 9)):
        assert calendar.add(thread.upper(), "run", event(title, hour))
    assert calendar.add(str(uuid.uuid4()), "run", event("x", 9))
    assert written(thread) == [event("a", 9), event("b", 10), event("c", 11)]
    until = datetime(2026, 3, 17, 11, tzinfo=UTC)
    assert [each.title for each in calendar.between(thread, until - timedelta(hours=1), until)] == ["b"]


def test_a_run_writes_an_event_once(thread: str) -> None:
    """CMP-11: another run may write the same again."""
    assert [calendar.add(thread, run, event("a", 9)) for run in ("run", "run", "another")] == [True, False, True]
    assert len(written(thread)) == 2


def test_a_reading_of_the_calendar_is_bounded(thread: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """FWD-10."""
    monkeypatch.setattr(calendar, "PAGE_CAP", 2)
    for hour in (9, 10, 11):
        calendar.add(thread, "run", event("x", hour))
    assert [each.starts_at.hour for each in written(thread)] == [9, 10]
