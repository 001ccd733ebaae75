"""The assistant from submit to answer, offline: a script stands in for the model, everything else is real."""

import json
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from local.stack import Stack
from tests.support.functions.deployment import MEMORY, emulated
from tests.support.journals import numbered
from tests.support.runners.scripted import DONE, Scripted, completed
from yarrow.media import signed_urls
from yarrow.protocol.caller import Caller
from yarrow.protocol.events.order import EventOrder
from yarrow.protocol.files.attachments import BUCKET
from yarrow.protocol.history import UserItem
from yarrow.protocol.problems import Problem
from yarrow.protocol.response_body import to_json
from yarrow.protocol.runner.api import AgentAPIException, FunctionCall, ModelReply, ModelToolCall
from yarrow.protocol.runner.manifest import AgentRunnerCapabilities, AgentRunnerPermissions
from yarrow.protocol.runner.models import AgentRunContext, InstalledRunner
from yarrow.runs import end_run, send_message, stream_events
from yarrow.runs.agui import join_snapshot
from yarrow.runs.get_history import day_of_session, whole_session
from yarrow.runs.submit_run import submit_run
from yarrow.services.models.call import ChatMessage, ModelCall, ModelPicture
from yarrow.services.models.scripted import ScriptedModel
from yarrow.store import calendar, objects, sessions, table, tool_use, transcript
from yarrow.store.calendar import CalendarEvent
from yarrow.store.limits import stream_slots
from yarrow.worker import execute_run
from yarrow.worker.invocation.registry import registry
from yarrow_agents.assistant import runner as assistant

pytestmark = pytest.mark.memory

ALICE = Caller("alice", "zh-CN", "Asia/Shanghai")
CLIENT_TIME = {
    "device_timezone": "America/Los_Angeles",
    "client_now_iso": "2026-03-16T09:12:33-07:00",
    "client_epoch_ms": 1_773_652_353_000,
}
PIXEL = b"\x89PNG\r\n\x1a\n of one colour"
CONFIRM = {"name": "confirmAction", "description": "请求用户确认操作", "parameters": {"type": "object"}}


Events = list[dict[str, Any]]
Told = Callable[..., Events]


@pytest.fixture(scope="module", autouse=True)
def deployed(stack: Stack) -> Iterator[None]:
    """One deployment for all of these tests, which are quicker than a user: each has sessions of its own."""
    with emulated(stack, MEMORY, RUNS_PER_MINUTE="0"):
        yield


@pytest.fixture
def thread() -> str:
    return str(uuid.uuid4())


@pytest.fixture
def events_of(thread: str) -> Told:
    """Every event of a run that is submitted and worked on."""

    def run(
        run_id: str,
        text: str | list[dict[str, Any]],
        *others: dict[str, Any],
        mode: str = "chat",
        caller: Caller = ALICE,
        message_id: str = "msg-1",
        **members: Any,
    ) -> Events:
        props = {"runtime_mode": mode, **members.pop("props", {})}
        messages = [{"id": message_id, "role": "user", "content": text}, *others]
        body = {
            "threadId": members.pop("thread", thread),
            "runId": run_id,
            "messages": messages,
            "forwardedProps": props,
            **members,
        }
        run_key = submit_run(json.dumps(body).encode(), caller, agent="assistant").task_id
        execute_run.work(run_key)
        lines = [line for _, line in numbered(run_key)]
        EventOrder().replay(lines)
        return [json.loads(line) for line in lines]

    return run


@pytest.fixture
def sent(thread: str) -> Told:
    """Every event of a run that an AG-UI client asks for, with all of the conversation."""

    def run(run_id: str, *messages: dict[str, Any], **members: Any) -> Events:
        body = {"threadId": thread, "runId": run_id, "messages": messages, "tools": [CONFIRM], **members}
        accepted = send_message.send_message(json.dumps(body).encode(), ALICE, "assistant").subscription
        stream_slots.release(accepted.slot)
        execute_run.work(accepted.run_key)
        lines = [line for _, line in numbered(accepted.run_key)]
        EventOrder().replay(lines)
        return [json.loads(line) for line in lines]

    return run


def types(events: Events) -> list[str]:
    """Return their types, of a message's pieces only the first, without the stages."""
    inner = [event["type"] for event in events if not event["type"].startswith("STEP_")]
    return [item for before, item in zip(["", *inner], inner, strict=False) if item != before]


def text(events: Events) -> str:
    return "".join(event["delta"] for event in events if event["type"] == "TEXT_MESSAGE_CONTENT")


def results(events: Events) -> list[Any]:
    return [json.loads(event["content"]) for event in events if event["type"] == "TOOL_CALL_RESULT"]


def written(thread: str) -> list[CalendarEvent]:
    since = datetime(2026, 3, 15, tzinfo=UTC)
    return list(calendar.between(thread, since, since + timedelta(days=7)))


WRITE = '/call calendar_write {"title": "开会", "starts_at": "2026-03-17T09:00:00"'
BERLIN = Caller("alice", "zh-CN", "Europe/Berlin")


def test_a_message_is_answered_and_kept(events_of: Told, thread: str) -> None:
    """EVT-07 … EVT-09, EVT-17, RNR-39: by a script, which says so."""
    events = events_of("run-1", "你好")
    assert types(events) == [
        "RUN_STARTED",
        "TEXT_MESSAGE_START",
        "TEXT_MESSAGE_CONTENT",
        "TEXT_MESSAGE_END",
        "RUN_FINISHED",
    ]
    assert "你说：“你好”" in text(events)
    assert [(message.role, message.content) for message in sessions.messages(thread)] == [
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
    events_of: Told, thread: str, named: str, props: dict[str, Any], caller: Caller, zone: str, begins: str
) -> None:
    """FWD-07, FWD-08, FWD-10: as told, else as device, profile or UTC have it; the call that is told says which."""
    events = events_of("run-1", WRITE + named, props=props, caller=caller)
    (event,) = written(thread)
    assert (event.title, event.event_timezone) == ("开会", zone)
    assert event.starts_at.isoformat() == f"2026-03-17T09:00:00{begins}"
    assert event.ends_at - event.starts_at == timedelta(hours=1)
    arguments = [event["delta"] for event in events if event["type"] == "TOOL_CALL_ARGS"]
    assert json.loads("".join(arguments))["event_timezone"] == zone
    assert results(events)[0]["starts_at"] == event.starts_at.isoformat()
    assert types(events)[1:5] == ["TOOL_CALL_START", "TOOL_CALL_ARGS", "TOOL_CALL_END", "TOOL_CALL_RESULT"]


def test_an_event_that_was_written_is_shown_as_a_card(events_of: Told, thread: str) -> None:
    """HIS-13, UIS-04, CMP-09: The history of the day has the card, and no other view unless asked."""
    events_of("run-1", f'{WRITE}, "event_timezone": "Asia/Tokyo"}}')
    document = json.loads(to_json(day_of_session(BERLIN, thread, None)))
    schema = document["messages"][-1]["ui_schema"]
    title, badge, body, rows = schema["root"]["children"]
    assert (schema["version"], schema["status"], title["content"]) == ("2.0", "success", "日程已创建")
    assert (badge["label"], body["content"]) == ("SUCCESS", "开会")
    assert [child["content"] for child in rows["children"][:6]] == [
        *("开始", "2026-03-17 09:00", "结束", "2026-03-17 10:00", "时区", "Asia/Tokyo"),
    ]
    assert b"ui_" not in to_json(whole_session(thread, "alice"))


def test_what_was_written_is_read(events_of: Told) -> None:
    """FWD-09, TOOL-04: in the same session, by another run; several tools may be called at once."""
    events_of("run-1", f"{WRITE}}}")
    day = '{"day": "2026-03-17"}'
    found = results(events_of("run-2", f"/call calendar_read {day}\n/call get_current_time {{}}"))
    (events,) = (item for item in found if isinstance(item, list))
    (now,) = (item for item in found if isinstance(item, dict))
    assert [event["title"] for event in events] == ["开会"]
    assert now["time_zone"] == "Asia/Shanghai"


def test_a_tool_that_refuses_is_told_to_model_and_client(events_of: Told, thread: str) -> None:
    """RNR-53, RNR-62."""
    events = events_of("run-1", '/call calendar_write {"title": "", "starts_at": "2026-03-17T09:00:00"}')
    assert [list(result) for result in results(events)] == [["error"]]
    assert "invalid_argument" not in text(events)
    assert events[-1]["type"] == "RUN_FINISHED"
    assert written(thread) == []


def test_an_automation_without_a_job_has_neither_tools_nor_past(events_of: Told, thread: str) -> None:
    """AUT-04, FWD-12."""
    events_of("run-1", "早上好")
    events = events_of("run-2", WRITE + "}", mode="automation")
    assert "TOOL_CALL_START" not in types(events)
    assert "这里没有工具“calendar_write”" in text(events)
    assert written(thread) == []


def test_the_client_runs_its_tool_and_the_next_run_goes_on(events_of: Told) -> None:
    """EVT-20, EVT-21, EVT-23, TOOL-03."""
    question = '/call confirmAction {"action": "删除临时文件", "count": 15}'
    events = events_of("run-1", question, tools=[CONFIRM])
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
    following = events_of("run-2", question, assistant, answer, tools=[CONFIRM])
    assert "“confirmAction”的结果：confirmed" in text(following)
    assert "TOOL_CALL_START" not in types(following)


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> list[list[ChatMessage]]:
    """What the model is given, request by request."""
    requests: list[list[ChatMessage]] = []
    invoke = ScriptedModel.invoke

    async def listen(model: ScriptedModel, call: ModelCall, seconds: float) -> ModelReply:
        requests.append(list(call.messages[1:]))
        return await invoke(model, call, seconds)

    monkeypatch.setattr(ScriptedModel, "invoke", listen)
    return requests


def roles(turns: list[ChatMessage]) -> list[str]:
    return [" ".join([turn.role, *(call.function.name for call in turn.tool_calls)]) for turn in turns]


def test_an_earlier_turn_is_heard_with_its_tools(events_of: Told, thread: str, heard: list[list[ChatMessage]]) -> None:
    """MSG-08, HIS-15: the call and its result, in its place; no history shows it, nor another session's model."""
    first = events_of("run-1", f"{WRITE}}}")
    events_of("run-2", "什么时候开会?", message_id="msg-2")
    turns = heard[-1]
    assert roles(turns) == ["user", "assistant calendar_write", "tool", "assistant", "user"]
    assert turns[1].tool_calls[0].id == turns[2].tool_call_id
    assert (turns[2].tool_name, json.loads(turns[2].text)) == ("calendar_write", results(first)[0])
    shown = [(item.seq, item.role) for item in whole_session(thread, "alice").messages]
    assert shown == [(1, "user"), (2, "assistant"), (3, "user"), (4, "assistant")]
    other = str(uuid.uuid4())
    events_of("run-1", "你好", thread=other)
    assert roles(heard[-1]) == ["user"]


def test_a_run_without_tools_keeps_no_turn(events_of: Told, thread: str) -> None:
    """MSG-08: it costs no write more."""
    events_of("run-1", "你好")
    assert tool_use.since(thread, 0, 10**6) == []
    events_of("run-2", "/call get_current_time {}", message_id="msg-2")
    ((after, turn),) = tool_use.since(thread, 0, 10**6)
    assert (after, [call.name for round_ in turn.rounds for call in round_.calls]) == (3, ["get_current_time"])


def confirmed(events: Events, content: str = "confirmed") -> list[dict[str, Any]]:
    """The messages with which a client goes on: the assistant's call, and what its tool answered."""
    call_id = next(event["toolCallId"] for event in events if event["type"] == "TOOL_CALL_START")
    arguments = "".join(event["delta"] for event in events if event["type"] == "TOOL_CALL_ARGS")
    call = {"id": call_id, "type": "function", "function": {"name": "confirmAction", "arguments": arguments}}
    return [
        {"id": "msg-2", "role": "assistant", "toolCalls": [call]},
        {"id": "msg-3", "role": "tool", "toolCallId": call_id, "content": content},
    ]


ASKED = '/call confirmAction {"action": "删除临时文件", "count": 15}'


def test_results_sent_again_under_another_run_are_answered_without_asking_again(
    events_of: Told, thread: str, heard: list[list[ChatMessage]]
) -> None:
    """EVT-21, CMP-11: as a client does that lost the answer; however often, and whatever it says the second time."""
    answers = confirmed(events_of("run-1", ASKED, tools=[CONFIRM]))
    following = events_of("run-2", ASKED, *answers, tools=[CONFIRM])
    for run_id, content in (("run-3", "confirmed"), ("run-4", "denied")):
        again = events_of(run_id, ASKED, answers[0], answers[1] | {"content": content}, tools=[CONFIRM])
        assert "TOOL_CALL_START" not in types(again)
        assert text(again) == text(following)
        assert roles(heard[-1]) == ["user", "assistant confirmAction", "tool"]
        assert heard[-1][-1].text == "confirmed"
    assert [message.role for message in sessions.messages(thread)] == ["user", "assistant", "assistant", "assistant"]


PICK = {"name": "pick", "description": "选择一项", "parameters": {"type": "object"}}
BOTH = "/call confirmAction {}\n/call pick {}\n/call get_current_time {}"


def result_of(events: Events, tool: str, content: str) -> list[dict[str, Any]]:
    """The call of this tool, and what it answered at the client."""
    (call,) = (event["toolCallId"] for event in events if event.get("toolCallName") == tool)
    function = {"name": tool, "arguments": "{}"}
    return [
        {
            "id": f"call-{tool}"[:256],
            "role": "assistant",
            "toolCalls": [{"id": call, "type": "function", "function": function}],
        },
        {"id": f"result-{tool}"[:256], "role": "tool", "toolCallId": call, "content": content},
    ]


def test_calls_that_are_answered_one_by_one_are_each_heard_and_nothing_is_called_again(
    events_of: Told, heard: list[list[ChatMessage]]
) -> None:
    """EVT-21, MSG-08: the second answer comes when nothing waits any more, and belongs to its call all the same."""
    first = events_of("run-1", BOTH, tools=[CONFIRM, PICK])
    events_of("run-2", BOTH, *result_of(first, "confirmAction", "confirmed"), tools=[CONFIRM, PICK])
    last = events_of("run-3", BOTH, *result_of(first, "pick", "7"), tools=[CONFIRM, PICK])
    assert "TOOL_CALL_START" not in types(last)
    assert roles(heard[-1]) == ["user", "assistant confirmAction pick get_current_time", "tool", "tool", "tool"]
    assert [turn.text for turn in heard[-1]][2:4] == ["confirmed", "7"]
    events_of("run-4", "好了吗?", message_id="msg-9")
    assert [turn.text for turn in heard[-1]][2:4] == ["confirmed", "7"]


def test_a_result_that_comes_after_another_question_is_heard_without_doing_anything_twice(
    events_of: Told, heard: list[list[ChatMessage]]
) -> None:
    """EVT-21, FWD-10: the question in between is answered anew, by what its tools have told and done."""
    late = confirmed(events_of("run-1", ASKED, tools=[CONFIRM]))
    events_of("run-2", f"{WRITE}}}", message_id="msg-8", tools=[CONFIRM])
    last = events_of("run-3", f"{WRITE}}}", *late, message_id="msg-8", tools=[CONFIRM])
    assert "TOOL_CALL_START" not in types(last)
    assert roles(heard[-1]) == [
        "user",
        "assistant confirmAction",
        "tool",
        "user",
        "assistant calendar_write",
        "tool",
    ]
    assert heard[-1][2].text == "confirmed"
    events_of("run-4", "今天如何?", message_id="msg-9", tools=[CONFIRM])
    events_of("run-5", "今天如何?", *late, message_id="msg-9", tools=[CONFIRM])
    assert [turn.text for turn in heard[-1]][-1] == "今天如何?"


def user(text: str, message_id: str) -> dict[str, Any]:
    return {"id": message_id, "role": "user", "content": text}


@pytest.mark.parametrize("between", [(), ({"id": "msg-4", "role": "activity", "content": {}},)])
def test_a_result_that_came_before_a_new_message_is_heard_with_it_and_later(
    sent: Told, heard: list[list[ChatMessage]], between: tuple[dict[str, Any], ...]
) -> None:
    """EVT-21, MSG-08: a client that asks for no run when its tool has answered sends both at once."""
    question = user(ASKED, "msg-1")
    answers = confirmed(sent("run-1", question), "user chose BLUE")
    sent("run-2", question, *answers, *between, user("我选了什么?", "msg-9"))
    assert roles(heard[-1]) == ["user", "assistant confirmAction", "tool", "user"]
    assert [turn.text for turn in heard[-1]][2:] == ["user chose BLUE", "我选了什么?"]
    message = {"id": "msg-10", "role": "assistant", "content": "BLUE"}
    sent("run-3", question, *answers, *between, user("我选了什么?", "msg-9"), message, user("再说一遍", "msg-11"))
    assert roles(heard[-1]) == ["user", "assistant confirmAction", "tool", "user", "assistant", "user"]
    assert heard[-1][2].text == "user chose BLUE"


MAIL: dict[str, Any] = {"id": "c-1", "type": "function", "function": {"name": "send_mail", "arguments": '{"to":"bob"}'}}
MAILED: list[dict[str, Any]] = [
    {"id": "a-1", "role": "assistant", "toolCalls": [MAIL]},
    {"id": "t-1", "role": "tool", "toolCallId": "c-1", "content": "mailed"},
]


def test_calls_of_a_conversation_that_began_elsewhere_are_not_made_again(
    sent: Told, thread: str, heard: list[list[ChatMessage]]
) -> None:
    """MSG-08, C22: the model gets the client's calls and results, in the first run and in later ones."""
    question = user("send the mail to bob", "u-1")
    sent("run-1", question, *MAILED)
    assert roles(heard[-1]) == ["user", "assistant send_mail", "tool"]
    assert heard[-1][1].tool_calls[0].function.arguments == '{"to":"bob"}'
    assert [heard[-1][2].tool_call_id, heard[-1][2].text] == ["c-1", "mailed"]
    answer = list(sessions.messages(thread))[-1]
    shown = [question, *MAILED, {"id": answer.id, "role": "assistant", "content": answer.content}]
    sent("run-2", *shown, user("did you?", "u-2"))
    assert roles(heard[-1]) == ["user", "assistant send_mail", "tool", "assistant", "user"]


def test_calls_between_earlier_messages_keep_their_place(sent: Told, heard: list[list[ChatMessage]]) -> None:
    """MSG-08, C22: with text and without, failed ones as failed; unanswered calls and lone results are dropped."""
    second = {**MAIL, "id": "c-2"}
    sent(
        "run-1",
        user("mail bob", "u-1"),
        {"id": "a-0", "role": "assistant", "content": "One moment.", "toolCalls": [MAIL, {**MAIL, "id": "c-open"}]},
        {"id": "t-1", "role": "tool", "toolCallId": "c-1", "content": "", "error": "no such mailbox"},
        {"id": "a-1", "role": "assistant", "toolCalls": [second]},
        {"id": "t-2", "role": "tool", "toolCallId": "c-2", "content": "mailed"},
        {"id": "a-2", "role": "assistant", "content": "Done."},
        user("thanks", "u-2"),
    )
    assert roles(heard[-1]) == [
        "user",
        "assistant send_mail",
        "tool",
        "assistant send_mail",
        "tool",
        "assistant",
        "user",
    ]
    assert [chat_message.text for chat_message in heard[-1]] == [
        "mail bob",
        "One moment.",
        "error: no such mailbox\n",
        "",
        "mailed",
        "Done.",
        "thanks",
    ]


def test_a_call_that_the_client_adds_to_a_conversation_is_heard_once(
    sent: Told, thread: str, heard: list[list[ChatMessage]]
) -> None:
    """MSG-08: as A2UI reports a click, without a new user message, then another before one."""
    question = user("show me a form", "u-1")
    sent("run-1", question)
    answer = list(sessions.messages(thread))[-1]
    shown = [question, {"id": answer.id, "role": "assistant", "content": answer.content}]
    click: list[dict[str, Any]] = [
        {"id": "a-1", "role": "assistant", "toolCalls": [{**MAIL, "id": "log-1"}]},
        {"id": "t-1", "role": "tool", "toolCallId": "log-1", "content": "pressed OK"},
    ]
    sent("run-2", *shown, *click)
    assert roles(heard[-1]) == ["user", "assistant", "assistant send_mail", "tool"]
    answer = list(sessions.messages(thread))[-1]
    shown += [*click, {"id": answer.id, "role": "assistant", "content": answer.content}]
    again = [
        {**click[0], "id": "a-2", "toolCalls": [{**MAIL, "id": "log-2"}]},
        {**click[1], "id": "t-2", "toolCallId": "log-2"},
    ]
    sent("run-3", *shown, *again, user("now?", "u-2"))
    assert roles(heard[-1]) == [
        *["user", "assistant", "assistant send_mail", "tool"],
        *["assistant", "assistant send_mail", "tool", "user"],
    ]


def snapshot_of(thread: str, run_id: str) -> list[dict[str, Any]]:
    """The messages that a client gets which joins a run."""
    joined = join_snapshot.join_from_snapshot(stream_events.stream_events(ALICE.user_id, thread, run_id, None, None))
    stream_slots.release(joined.subscription.slot)
    (snapshot,) = (event for event in map(json.loads, joined.opening) if event["type"] == "MESSAGES_SNAPSHOT")
    messages: list[dict[str, Any]] = snapshot["messages"]
    return messages


def test_what_the_client_said_with_such_a_call_is_heard_with_it(
    sent: Told, thread: str, heard: list[list[ChatMessage]]
) -> None:
    """MSG-08, EVT-14: in an older session, too; snapshots have it."""
    question = user("show me a form", "u-1")
    sent("run-1", question)
    answer = list(sessions.messages(thread))[-1]
    shown = [question, {"id": answer.id, "role": "assistant", "content": answer.content}]
    called = {"id": "a-1", "role": "assistant", "content": "I mail Bob.", "toolCalls": [MAIL]}
    sent("run-2", *shown, called, MAILED[1], user("now?", "u-2"))
    assert roles(heard[-1]) == ["user", "assistant", "assistant send_mail", "tool", "user"]
    assert heard[-1][2].text == "I mail Bob."
    assert called in snapshot_of(thread, "run-2")


FOREIGN: tuple[dict[str, Any], ...] = (
    {"id": "u-1", "role": "user", "content": "mail bob"},
    {"id": "r-1", "role": "reasoning", "content": "They know Bob.", "encryptedValue": '{"provider_name": "x"}'},
    {"id": "a-1", "role": "assistant", "content": "One moment.", "name": "Postman", "toolCalls": [MAIL]},
    MAILED[1],
    {"id": "r-2", "role": "reasoning", "content": "It is done."},
    {"id": "a-2", "role": "assistant", "content": "Done."},
)


def test_reasoning_and_names_of_another_agent_are_heard(
    sent: Told, thread: str, heard: list[list[ChatMessage]]
) -> None:
    """MSG-06, C22: The first run and later ones have them."""
    sent("run-1", *FOREIGN, user("thanks", "u-2"))
    for _ in range(2):
        answers = [message for message in heard[-1] if message.role == "assistant"][:2]
        assert [(answer.name, answer.text) for answer in answers] == [("Postman", "One moment."), ("", "Done.")]
        texts = [(message.content, message.encrypted_value) for answer in answers for message in answer.reasoning]
        assert texts == [("They know Bob.", '{"provider_name": "x"}'), ("It is done.", None)]
        answer = list(sessions.messages(thread))[-1]
        shown = [*FOREIGN, user("thanks", "u-2"), {"id": answer.id, "role": "assistant", "content": answer.content}]
        sent(f"run-{uuid.uuid4()}", *shown, user("did you?", "u-3"))


def test_a_snapshot_has_the_calls_that_the_client_brought(sent: Told, thread: str) -> None:
    """EVT-14: another device sees them where they were made, under the client's ids."""
    question = user("send the mail to bob", "u-1")
    greeted = {"id": "a-0", "role": "assistant", "content": "On it.", "toolCalls": [{**MAIL, "id": "c-0"}]}
    result = {"id": "t-0", "role": "tool", "toolCallId": "c-0", "content": "mailed"}
    sent("run-1", question, greeted, result, user("and to carol", "u-2"), *MAILED)
    answer = list(sessions.messages(thread))[-1]
    message = {"id": answer.id, "role": "assistant", "content": answer.content}
    sent("run-2", question, greeted, result, user("and to carol", "u-2"), *MAILED, message, user("thanks", "u-3"))
    listed = [question, greeted, result, user("and to carol", "u-2"), *MAILED, message, user("thanks", "u-3")]
    assert snapshot_of(thread, "run-2")[: len(listed)] == listed


def test_what_a_client_confirmed_is_heard_in_later_turns(events_of: Told, heard: list[list[ChatMessage]]) -> None:
    """MSG-08, EVT-21: The call of one run is joined with the answer of the next."""
    answers = confirmed(events_of("run-1", ASKED, tools=[CONFIRM]))
    events_of("run-2", ASKED, *answers, tools=[CONFIRM])
    events_of("run-3", "好了吗?", message_id="msg-9")
    assert roles(heard[-1]) == ["user", "assistant confirmAction", "tool", "assistant", "user"]
    assert heard[-1][2].text == "confirmed"


def test_a_client_goes_on_however_much_it_sends_back(sent: Told, heard: list[list[ChatMessage]]) -> None:
    """EVT-21, RUN-03: with the results of the service's own tools, which it was told of, and a large one of its own."""
    question = user(ASKED, "msg-1")
    calling, answer = confirmed(sent("run-1", question), "是" * 100_000)
    (call,) = calling["toolCalls"]
    own = []
    for number in range(120):
        made = {**calling, "id": f"a{number}", "toolCalls": [{**call, "id": f"own-{number}"}]}
        own += [made, {**answer, "id": f"t{number}", "toolCallId": f"own-{number}", "content": "卦" * 3_000}]
    messages = [question, *own, calling, answer]
    events = sent("run-2", *messages)
    assert types(events)[-1] == "RUN_FINISHED"
    assert roles(heard[-1]) == ["user", "assistant confirmAction", "tool"]
    assert heard[-1][-1].text == "是" * 15_999 + "…"
    assert sent("run-2", *messages) == events


@pytest.mark.parametrize(("words", "note"), [("卦" * 20_000 + "y" * 170_000, 20_000), ("y" * 30_000, 200_000)])
def test_a_long_message_may_lead_to_a_call_of_the_client(
    sent: Told, heard: list[list[ChatMessage]], monkeypatch: pytest.MonkeyPatch, words: str, note: int
) -> None:
    """C43, EVT-21: what is kept while the call waits is bounded; the client brings the whole message again."""
    made = FunctionCall(name="confirmAction", arguments=json.dumps({"note": "x" * note}))
    invoke = ScriptedModel.invoke

    async def call_at_first(model: ScriptedModel, call: ModelCall, seconds: float) -> ModelReply:
        reply = await invoke(model, call, seconds)
        calls = (ModelToolCall(id="c1", function=made),) if call.messages[-1].role == "user" else ()
        message = reply.message.model_copy(update={"tool_calls": calls})
        return reply.model_copy(update={"message": message})

    monkeypatch.setattr(ScriptedModel, "invoke", call_at_first)
    question = user(words, "msg-1")
    first = sent("run-1", question)
    assert types(first)[-1] == "RUN_FINISHED"
    again = sent("run-2", question, *confirmed(first))
    assert types(again)[-1] == "RUN_FINISHED"
    assert "TOOL_CALL_START" not in types(again)
    assert [(turn.role, turn.text) for turn in heard[-1]][-3::2] == [
        ("user", question["content"]),
        ("tool", "confirmed"),
    ]


@pytest.mark.parametrize("name", ["files.read", "查天气", "x" * 256, "mcp:server/工具"])
def test_a_tool_of_the_client_may_have_any_name(sent: Told, heard: list[list[ChatMessage]], name: str) -> None:
    """C44, EVT-20, EVT-21: the client is told it as it is, and so are later turns."""
    tools = [{**CONFIRM, "name": name}, {**CONFIRM, "name": "another name"}]
    question = user(f"/call {name} {{}}", "msg-1")
    events = sent("run-1", question, tools=tools)
    assert [event["toolCallName"] for event in events if event["type"] == "TOOL_CALL_START"] == [name]
    last = sent("run-2", question, *result_of(events, name, "ok"), tools=tools)
    assert types(last)[-1] == "RUN_FINISHED"
    assert roles(heard[-1]) == ["user", f"assistant {name}", "tool"]


def state_of(lines: list[str] | tuple[str, ...]) -> list[Any]:
    read = [json.loads(line) for line in lines]
    return [event.get("snapshot", event.get("delta")) for event in read if event["type"].startswith("STATE_")]


def test_the_assistant_shares_a_state_with_the_client(sent: Told, thread: str) -> None:
    """C46, EVT-13: told whole, then by its changes; a client that joins is told how it is now; the next run begins
    with what the client sends.
    """
    change = '/call update_state {"changes": {"count": 2, "note": {"a": "卦", "b": null}}}'
    events = sent("run-1", user(change, "msg-1"), state={"count": 1})
    assert types(events)[:2] == ["RUN_STARTED", "STATE_SNAPSHOT"]
    assert types(events)[-5:] == [
        "TOOL_CALL_RESULT",
        "TEXT_MESSAGE_START",
        "TEXT_MESSAGE_CONTENT",
        "TEXT_MESSAGE_END",
        "RUN_FINISHED",
    ]
    lines = [json.dumps(event) for event in events]
    assert state_of(lines) == [
        {"count": 1},
        [{"op": "replace", "path": "/count", "value": 2}, {"op": "add", "path": "/note", "value": {"a": "卦"}}],
    ]
    assert results(events) == [{"changed": ["/count", "/note"]}]
    joined = join_snapshot.join_from_snapshot(stream_events.stream_events(ALICE.user_id, thread, "run-1", None, None))
    stream_slots.release(joined.subscription.slot)
    assert state_of(joined.opening) == [{"count": 2, "note": {"a": "卦"}}]
    following = sent("run-2", user("好", "msg-2"), state={"count": 7})
    assert state_of([json.dumps(item) for item in following]) == [{"count": 7}]
    assert "STATE_SNAPSHOT" not in types(sent("run-3", user("好", "msg-3")))


def test_a_state_is_stored_between_runs_for_a_client_that_asks(sent: Told) -> None:
    """C46, EVT-13: also one that the agent began. What the client sends goes first; other requests do not see it."""
    asks = {"metadata": {"persistentState": True}}

    def change(run: str, changes: str, **more: Any) -> list[Any]:
        events = sent(run, user(f'/call update_state {{"changes": {changes}}}', f"msg-{run}"), **more)
        assert types(events)[-1] == "RUN_FINISHED"
        return state_of([json.dumps(event) for event in events])

    assert change("run-1", '{"count": 1}', **asks) == [{"count": 1}]
    added = [{"op": "add", "path": "/note", "value": "卦"}]
    assert change("run-2", '{"note": "卦"}', **asks, state={}) == [{"count": 1}, added]
    other = [{"op": "replace", "path": "/count", "value": 9}]
    assert change("run-3", '{"count": 9}', state={"count": 8}) == [{"count": 8}, other]
    following = sent("run-4", user("好", "msg-4"), **asks)
    assert state_of([json.dumps(item) for item in following]) == [{"count": 1, "note": "卦"}]
    sent("run-5", user("好", "msg-5"), **asks, state={"count": 7})
    following = sent("run-6", user("好", "msg-6"), **asks)
    assert state_of([json.dumps(item) for item in following]) == [{"count": 7}]
    with pytest.raises(Problem) as refused:
        sent("run-7", user("好", "msg-7"), metadata={"persistentState": "yes"})
    assert (refused.value.status, refused.value.detail) == (422, "metadata.persistentState must be a boolean")


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> Callable[[], Any]:
    """Within it a model fails that has heard what a tool answered last."""

    @contextmanager
    def within() -> Iterator[None]:
        invoke = ScriptedModel.invoke

        async def fail(model: ScriptedModel, call: ModelCall, seconds: float) -> ModelReply:
            if call.messages[-1].role == "tool":
                raise AgentAPIException("runtime_error", "The model has failed.")
            return await invoke(model, call, seconds)

        with monkeypatch.context() as patch:
            patch.setattr(ScriptedModel, "invoke", fail)
            yield

    return within


def test_a_retry_after_a_failure_does_nothing_again(
    events_of: Told, thread: str, heard: list[list[ChatMessage]], failing: Callable[[], Any]
) -> None:
    """MSG-08, CMP-11, FWD-10: the run that failed had written; the one that comes again hears so, as later ones do."""
    with failing():
        assert types(events_of("run-1", f"{WRITE}}}"))[-1] == "RUN_ERROR"
    again = events_of("run-2", f"{WRITE}}}")
    assert types(again)[1] == "TEXT_MESSAGE_START"
    assert roles(heard[-1]) == ["user", "assistant calendar_write", "tool"]
    events_of("run-3", "写好了吗?", message_id="msg-9")
    assert roles(heard[-1]) == ["user", "assistant calendar_write", "tool", "assistant", "user"]
    assert len(written(thread)) == 1


def test_another_question_after_a_failure_knows_what_was_done(
    events_of: Told, heard: list[list[ChatMessage]], failing: Callable[[], Any]
) -> None:
    """MSG-08: as a user who asks whether it worked."""
    with failing():
        events_of("run-1", f"{WRITE}}}")
    events_of("run-2", "写好了吗?", message_id="msg-9")
    assert roles(heard[-1]) == ["user", "assistant calendar_write", "tool", "user"]


def test_what_a_client_answered_to_a_run_that_failed_is_not_lost(
    events_of: Told, heard: list[list[ChatMessage]], failing: Callable[[], Any]
) -> None:
    """MSG-08, EVT-21: its client may not say it again."""
    answers = confirmed(events_of("run-1", ASKED, tools=[CONFIRM]))
    with failing():
        assert types(events_of("run-2", ASKED, *answers, tools=[CONFIRM]))[-1] == "RUN_ERROR"
    events_of("run-3", "好了吗?", message_id="msg-9")
    assert roles(heard[-1]) == ["user", "assistant confirmAction", "tool", "user"]
    assert heard[-1][2].text == "confirmed"


def test_a_run_that_is_cancelled_in_a_deleted_session_leaves_nothing(thread: str) -> None:
    """MSG-08, SES-04."""
    body = {"threadId": thread, "runId": "run-1", "forwardedProps": {"runtime_mode": "chat"}}
    messages = [user("你好", "msg-1"), {"id": "msg-2", "role": "tool", "toolCallId": "c", "content": "yes"}]
    run_key = submit_run(json.dumps({**body, "messages": messages}).encode(), ALICE, agent="assistant").task_id
    sessions.mark_deleted(sessions.must_read(thread))
    assert end_run.end_with_error(run_key, end_run.CANCELED)
    assert tool_use.since(thread, 0, 10**6) == []


def test_a_call_that_was_never_answered_is_not_heard_of_again(events_of: Told, heard: list[list[ChatMessage]]) -> None:
    """EVT-21: no model takes a call without an answer."""
    events_of("run-1", ASKED, tools=[CONFIRM])
    events_of("run-2", "算了", tools=[CONFIRM], message_id="msg-9")
    assert roles(heard[-1]) == ["user", "user"]


def test_a_picture_of_an_earlier_message_is_seen_again(events_of: Told, heard: list[list[ChatMessage]]) -> None:
    """RNR-19, RNR-25: with its words, in the run's grant; so that it can be asked about."""
    events_of("run-1", [{"type": "text", "text": "看看这张图"}, picture()])
    events_of("run-2", "刚才的图是什么颜色?", message_id="msg-2")
    assert roles(heard[-1]) == ["user", "assistant", "user"]
    assert heard[-1][0].content == ("看看这张图", ModelPicture(PIXEL, "image/png"))


Given = Callable[..., AgentRunContext]


@pytest.fixture
def context_of(events_of: Told, monkeypatch: pytest.MonkeyPatch) -> Given:
    """What another runner in the assistant's place is given, with these changes to its manifest, in the next run."""

    def run(run_id: str, **changes: Any) -> AgentRunContext:
        runner = Scripted(completed("好"), DONE)
        installed = InstalledRunner(assistant.RUNNER.manifest.model_copy(update=changes), lambda: runner)
        with monkeypatch.context() as patch:
            patch.setattr(registry, "find", lambda _: installed)
            events_of(run_id, "然后呢?", message_id=run_id)
        return runner.contexts[0]

    return run


def test_a_runner_that_does_not_ask_for_tool_messages_gets_words_alone(events_of: Told, context_of: Given) -> None:
    """MSG-08, RNR-09, RNR-11: as it always did; what is delivered are messages of the conversation in either case."""
    events_of("run-1", f"{WRITE}}}")
    for number, (metadata, roles_given) in enumerate(
        [
            ({}, ["user", "assistant"]),
            ({"tool_messages": "yes"}, ["user", "assistant", "user", "assistant"]),
            ({"tool_messages": True}, ["user", "assistant", "tool", "assistant", *["user", "assistant"] * 2]),
        ]
    ):
        context = context_of(f"run-{number + 2}", metadata=metadata)
        assert context.bootstrap is not None
        assert [message.role for message in context.bootstrap.messages] == roles_given
        policy = context.context.inline_policy
        assert (policy.delivered_count, policy.messages_complete) == (2 * number + 3, True)


def pictures_of(context: AgentRunContext) -> list[str]:
    """The ids of the pictures that are inlined; each is in the grant."""
    messages = context.bootstrap.messages if context.bootstrap else ()
    parts = [part for message in messages if isinstance(message.content, tuple) for part in message.content]
    shown = [part["artifact_id"] for part in parts if part["type"] == "artifact"]
    assert (
        shown
        == [artifact.artifact_id for artifact in context.resources.artifacts if artifact.artifact_id in shown][::-1]
    )
    return shown


def picture() -> dict[str, Any]:
    path = f"{BUCKET}/alice/{uuid.uuid4()}.png"
    objects.put(path, PIXEL, "image/png")
    return {"type": "binary", "mimeType": "image/png", "url": signed_urls.sign(path)}


def test_the_latest_pictures_of_what_was_answered_are_given(events_of: Told, context_of: Given, thread: str) -> None:
    """RNR-19, RNR-25: a few, to a runner that can see; of a message that failed its run none, lest it fail them all."""
    events_of("run-1", [picture(), picture()], message_id="a")
    events_of("run-2", [{"type": "text", "text": "看"}, picture(), picture()], message_id="b")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ScriptedModel, "invoke", refuse)
        assert types(events_of("run-3", [picture()], message_id="c"))[-1] == "RUN_ERROR"
    every = [artifact["artifact_id"] for item in transcript.tail(thread, 10, 10**6) for artifact in item.artifacts]
    assert len(every) == 5
    assert pictures_of(context_of("run-4")) == every[1:4]
    assert pictures_of(context_of("run-5", capabilities=AgentRunnerCapabilities())) == []
    assert pictures_of(context_of("run-6", permissions=AgentRunnerPermissions())) == []
    kept = table.get(table.artifact_key(thread, every[3]))
    assert kept is not None
    table.put_alone(kept | {"expires_at": 1})
    assert pictures_of(context_of("run-7")) == every[:3]


def test_a_picture_whose_object_has_expired_fails_no_later_run(
    events_of: Told, context_of: Given, heard: list[list[ChatMessage]], thread: str
) -> None:
    """RNR-19, RUN-17: the bucket may keep attachments for a shorter time than their artifacts are known."""
    events_of("run-1", [{"type": "text", "text": "看看这两张图"}, picture(), picture()], message_id="a")
    first, second = (
        artifact["artifact_id"] for item in transcript.tail(thread, 9, 10**6) for artifact in item.artifacts
    )
    kept = table.get(table.artifact_key(thread, second))
    assert kept is not None
    objects.delete(kept["object_key"])
    assert pictures_of(context_of("run-2")) == [first]
    assert types(events_of("run-3", "是什么颜色?", message_id="b"))[-1] == "RUN_FINISHED"
    assert heard[-1][0].content == ("看看这两张图", ModelPicture(PIXEL, "image/png"))
    request = whole_session(thread, "alice").messages[0]
    assert isinstance(request, UserItem)
    assert len(request.attachments) == 2


async def refuse(*_: object) -> ModelReply:
    """As a model does that takes no such picture."""
    raise AgentAPIException("invalid_argument", "The model cannot read the picture.")


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
    assert [calendar_event.title for calendar_event in calendar.between(thread, until - timedelta(hours=1), until)] == [
        "b"
    ]


def test_an_event_is_written_once(thread: str) -> None:
    """CMP-11, FWD-10: by whichever run, for a model cannot know what became of the one before."""
    assert [calendar.add(thread, run, event("a", 9)) for run in ("run", "run", "another")] == [True, False, False]
    assert len(written(thread)) == 1


def test_a_reading_of_the_calendar_is_bounded(thread: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """FWD-10."""
    monkeypatch.setattr(calendar, "MAX_PAGE", 2)
    for hour in (9, 10, 11):
        calendar.add(thread, "run", event("x", hour))
    assert [calendar_event.starts_at.hour for calendar_event in written(thread)] == [9, 10]
