"""The AG-UI door against the table, from the request to the last frame, with runners written for the purpose."""

import json
import uuid
from typing import Any

import pytest

from tests.support.agui.app import (
    CONFIRM,
    GET_WEATHER,
    SEARCH,
    Answer,
    App,
    body,
    calling,
    result,
    started,
    tool,
    user,
)
from tests.support.agui.client import data_of
from tests.support.example_cast import EXAMPLE
from tests.support.functions.payloads import with_header
from tests.support.runners.scripted import DONE, Use, completed, delta
from yarrow.media import signed_urls
from yarrow.protocol.agui.events import SESSION
from yarrow.protocol.agui.request import LEFT_OUT
from yarrow.protocol.files.attachments import BUCKET
from yarrow.runs import cancel_run
from yarrow.runs.send_message import session_id_of
from yarrow.settings import settings
from yarrow.store import journal, objects, runs, sessions
from yarrow.store.limits import stream_slots
from yarrow.web.streams import event_stream
from yarrow.worker import execute_run
from yarrow_agents.divination.event_types import DERIVED

pytestmark = [pytest.mark.usefixtures("aws"), pytest.mark.memory]


SCENARIOS = {
    "1 conversation": (
        body("run_001", user("你好")),
        [delta("你好"), delta("!有什么可以帮你的吗?"), DONE],
        """
data: {"type":"RUN_STARTED","threadId":"thread_001","runId":"run_001"}
data: {"type":"TEXT_MESSAGE_START","messageId":"msg_2","role":"assistant"}
data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg_2","delta":"你好"}
data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg_2","delta":"!有什么可以帮你的吗?"}
data: {"type":"TEXT_MESSAGE_END","messageId":"msg_2"}
data: {"type":"RUN_FINISHED","threadId":"thread_001","runId":"run_001"}""",
    ),
    "2 frontend tool, first round": (
        body("run_003", user("帮我搜索本地的报告文件"), tools=[tool(SEARCH)]),
        [started(SEARCH), DONE],
        """
data: {"type":"RUN_STARTED","threadId":"thread_001","runId":"run_003"}
data: {"type":"TOOL_CALL_START","toolCallId":"call_002","toolCallName":"search_local_files"}
data: {"type":"TOOL_CALL_ARGS","toolCallId":"call_002","delta":"{\\"keyword\\":\\"报告\\"}"}
data: {"type":"TOOL_CALL_END","toolCallId":"call_002"}
data: {"type":"RUN_FINISHED","threadId":"thread_001","runId":"run_003"}""",
    ),
    "2 frontend tool, second round": (
        body(
            "run_004",
            user("帮我搜索本地的报告文件"),
            calling(SEARCH),
            result(SEARCH, '["2024年度报告.pdf", "Q3报告.docx"]'),
            tools=[tool(SEARCH)],
        ),
        [completed("找到了 2 个文件:2024年度报告.pdf 和 Q3报告.docx"), DONE],
        """
data: {"type":"RUN_STARTED","threadId":"thread_001","runId":"run_004"}
data: {"type":"TEXT_MESSAGE_START","messageId":"msg_4","role":"assistant"}
data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg_4","delta":"找到了 2 个文件:2024年度报告.pdf 和 Q3报告.docx"}
data: {"type":"TEXT_MESSAGE_END","messageId":"msg_4"}
data: {"type":"RUN_FINISHED","threadId":"thread_001","runId":"run_004"}""",
    ),
    "3 server tool": (
        body("run_002", user("北京天气怎么样?")),
        [
            delta("让我查一下"),
            started(GET_WEATHER),
            ("tool.call.completed", {"tool_call_id": "call_001", "result": "晴天,25°C"}),
            delta("北京今天晴天,25°C。"),
            DONE,
        ],
        """
data: {"type":"RUN_STARTED","threadId":"thread_001","runId":"run_002"}
data: {"type":"TEXT_MESSAGE_START","messageId":"msg_2","role":"assistant"}
data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg_2","delta":"让我查一下"}
data: {"type":"TEXT_MESSAGE_END","messageId":"msg_2"}
data: {"type":"TOOL_CALL_START","toolCallId":"call_001","toolCallName":"get_weather","parentMessageId":"msg_2"}
data: {"type":"TOOL_CALL_ARGS","toolCallId":"call_001","delta":"{\\"city\\":\\"北京\\"}"}
data: {"type":"TOOL_CALL_END","toolCallId":"call_001"}
data: {"type":"TOOL_CALL_RESULT","messageId":"msg_tool_1","toolCallId":"call_001","content":"晴天,25°C"}
data: {"type":"TEXT_MESSAGE_START","messageId":"msg_3","role":"assistant"}
data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg_3","delta":"北京今天晴天,25°C。"}
data: {"type":"TEXT_MESSAGE_END","messageId":"msg_3"}
data: {"type":"RUN_FINISHED","threadId":"thread_001","runId":"run_002"}""",
    ),
    "4 human in the loop, first round": (
        body("run_005", user("删除所有临时文件"), tools=[tool(CONFIRM)]),
        [delta("即将删除 15 个临时文件"), started(CONFIRM), DONE],
        """
data: {"type":"RUN_STARTED","threadId":"thread_001","runId":"run_005"}
data: {"type":"TEXT_MESSAGE_START","messageId":"msg_2","role":"assistant"}
data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg_2","delta":"即将删除 15 个临时文件"}
data: {"type":"TEXT_MESSAGE_END","messageId":"msg_2"}
data: {"type":"TOOL_CALL_START","toolCallId":"call_003","toolCallName":"confirmAction","parentMessageId":"msg_2"}
data: {"type":"TOOL_CALL_ARGS","toolCallId":"call_003","delta":"{\\"action\\":\\"删除临时文件\\",\\"count\\":15}"}
data: {"type":"TOOL_CALL_END","toolCallId":"call_003"}
data: {"type":"RUN_FINISHED","threadId":"thread_001","runId":"run_005"}""",
    ),
    "4 human in the loop, second round": (
        body(
            "run_006",
            user("删除所有临时文件"),
            calling(CONFIRM, content="即将删除 15 个临时文件"),
            result(CONFIRM, "confirmed"),
            tools=[tool(CONFIRM)],
        ),
        [completed("已删除 15 个临时文件。"), DONE],
        """
data: {"type":"RUN_STARTED","threadId":"thread_001","runId":"run_006"}
data: {"type":"TEXT_MESSAGE_START","messageId":"msg_4","role":"assistant"}
data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg_4","delta":"已删除 15 个临时文件。"}
data: {"type":"TEXT_MESSAGE_END","messageId":"msg_4"}
data: {"type":"RUN_FINISHED","threadId":"thread_001","runId":"run_006"}""",
    ),
}
"""The scenarios of `agui-http-agent.md`: a request, what a runner makes of it, and the answer as printed."""


def with_ids_of(events: list[dict[str, Any]], printed: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Events under the printed ones' message ids, without what this service says of itself."""
    names: dict[str, str] = {}
    for ours, theirs in zip(events, printed, strict=False):
        names.setdefault(ours.get("messageId", ""), theirs.get("messageId", ""))
    return [
        {
            name: names[value] if name in ("messageId", "parentMessageId") else value
            for name, value in event.items()
            if name not in ("protocolVersion", "metadata")
        }
        for event in events
    ]


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_scenario_of_the_document_is_streamed_event_by_event(app: App, use: Use, scenario: str) -> None:
    """EVT-01, EVT-20, EVT-21, EVT-22, EVT-23, CMP-07."""
    request, results, printed = SCENARIOS[scenario]
    use(*results)
    answer = app.post(request)
    expected = [json.loads(line.removeprefix("data: ")) for line in printed.strip().splitlines()]
    assert with_ids_of(answer.events, expected) == expected
    assert b"\nid:" not in answer.body
    assert b"\nevent:" not in answer.body


def test_the_runner_is_given_what_the_client_sent(app: App, use: Use) -> None:
    """EVT-21, TOOL-02, TOOL-03, RUN-26: the tools it may call by name, and what those answered before."""
    runner = use(completed("好"), DONE)
    request, *_ = SCENARIOS["4 human in the loop, second round"]
    assert app.post(request | {"context": [{"description": "页面", "value": "首页"}], "state": {"k": 1}}).events
    (context,) = runner.contexts
    assert context.input.text == "删除所有临时文件"
    assert [(tool.tool_name, tool.tool_type) for tool in context.resources.tools] == [("confirmAction", "frontend")]
    assert context.event.data["tool_results"] == [{"tool_call_id": "call_003", "content": "confirmed"}]
    assert context.adapter is not None
    assert context.adapter.extra["context"] == [{"description": "页面", "value": "首页"}]
    assert context.adapter.extra["state"] == {"k": 1}


def test_a_picture_of_the_users_own_goes_with_the_message_and_others_fail_no_run(app: App, use: Use) -> None:
    """C7, RUN-16, RUN-17: no URL is in a snapshot, where it would be the path it is kept by."""
    runner = use(completed("好"), DONE)
    own = f"{BUCKET}/{app.case.user}/{uuid.uuid4()}.png"
    objects.put(own, b"\x89PNG\r\n\x1a\n", "image/png")
    content = [
        {"type": "text", "text": "看看"},
        {"type": "image", "source": {"type": "url", "value": signed_urls.sign(own)}},
        {"type": "image", "source": {"type": "url", "value": "https://elsewhere.example.com/1.png"}},
    ]
    events = app.post(body("run_001", {"id": "msg_1", "role": "user", "content": content})).events
    assert events[-1]["type"] == "RUN_FINISHED"
    stored = runs.read_input(runs.key_of(app.case.user, session_id_of(app.case.user, "thread_001"), "run_001"))
    assert [part.get("url") for part in stored["messages"][0]["content"]] == [None, own]
    assert runner.contexts[0].input.text == "看看"
    assert runner.contexts[0].adapter is not None
    assert runner.contexts[0].adapter.extra["context"] == [{"description": LEFT_OUT, "value": "image"}]
    joined = app.watch(session_id_of(app.case.user, "thread_001"), "run_001", "snapshot").events
    assert joined[1]["messages"][0] == {"id": "msg_1", "role": "user", "content": "看看"}


DIVINATION = body("run_001", forwardedProps={"runtime_mode": "chat", "divinationPayload": EXAMPLE})


def test_a_divination_is_streamed_by_send_message(app: App) -> None:
    """DIV-11, DIV-31, DIV-33a, CMP-09, C36: its agent is implied; the session and the other route have the same."""
    events = app.post(DIVINATION).events
    (custom,) = (event for event in events if event["type"] == "CUSTOM")
    (end,) = (event for event in events if event["type"] == "TEXT_MESSAGE_END")
    assert custom["name"] == DERIVED.name
    assert end["metadata"]["divination_derived"] == custom["value"]
    assert events[-1]["result"] == end["metadata"]
    text = "".join(event["delta"] for event in events if event["type"] == "TEXT_MESSAGE_CONTENT")
    assert text == end["metadata"]["answer"]
    session = events[0]["metadata"][SESSION]
    assert sessions.read_owned(session, app.case.user).agent == "divination"
    assert [message.role for message in sessions.messages(session)] == ["user", "assistant"]

    elsewhere = app.watch(session, "run_001", "agui").events
    assert elsewhere[1:-1] == events[1:-1]
    assert elsewhere[0] == {**without(events[0], "metadata"), "threadId": session}
    assert elsewhere[-1] == {**events[-1], "threadId": session}


def without(event: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in event.items() if key != name}


def test_the_assistant_answers_where_nothing_says_otherwise(app: App, use: Use) -> None:
    """C36: the query decides before that, and a session keeps its agent."""
    use(completed("好"), DONE)
    app.post(body("run_1"))
    assert sessions.read_owned(session_id_of(app.case.user, "thread_001"), app.case.user).agent == "assistant"
    refused = app.post(body("run_2", threadId="thread_002"), agent="nobody")
    assert refused.problem == (422, "AGENT_RUN_INPUT_INVALID")
    response = app.post(body("run_3", threadId="thread_003"), agent="divination")
    assert response.problem == (422, "AGENT_DIVINATION_PAYLOAD_REQUIRED")


def test_the_same_request_again_is_the_same_run(app: App, use: Use) -> None:
    """RUN-23, EVT-05, C15: from its start, also after its end; another body under its name is not it."""
    runner = use(completed("好"), DONE)
    first = app.post(body())
    assert app.post(body()).events == first.events
    assert len(runner.contexts) == 1
    assert app.post(body("run_001", user("别的"))).problem == (409, "AGENT_RUN_CONFLICT")


def test_what_is_wrong_before_the_stream_is_a_problem(app: App) -> None:
    """ERR-01, ERR-11, EVT-21."""
    assert app.post("{").problem == (400, "REQUEST_INVALID")
    assert app.post("[]").problem == (422, "AGENT_RUN_INPUT_INVALID")
    assert app.post(body(messages=None)).problem == (422, "AGENT_RUN_MESSAGES_INVALID")
    stray = result(CONFIRM, "confirmed")
    assert app.post(body("run_001", user("删"), stray)).problem == (422, "AGENT_RUN_MESSAGES_INVALID")
    event = app.case.payload("api_gateway_send_message")
    headers = {name: value for name, value in event["headers"].items() if name != "Content-Type"}
    typed = event | {"headers": headers, "multiValueHeaders": {"content-type": ["text/plain"]}}
    assert app.ask("send_message", typed, None).problem == (415, "REQUEST_CONTENT_TYPE_UNSUPPORTED")


@pytest.mark.parametrize("accept", ["*/*", "application/vnd.ag-ui.event+proto", "text/html, application/json;q=0.9"])
def test_events_are_told_as_text_whatever_else_a_client_may_take(app: App, use: Use, accept: str) -> None:
    """EVT-01: AG-UI's binary form, of which clients older than 1.0 know nothing, is not spoken."""
    use(completed("好"), DONE)
    app.post(body())
    event = with_header(app.case.payload("api_gateway_send_message"), "Accept", accept) | {"body": json.dumps(body())}
    assert app.ask("send_message", event, None).events[-1]["type"] == "RUN_FINISHED"


def test_a_user_has_so_many_streams_at_once(app: App, use: Use, monkeypatch: pytest.MonkeyPatch) -> None:
    """EVT-06: also by this door; the slot is given back at the end of each, and no run begins that has none."""
    use(completed("好"), DONE)
    monkeypatch.setitem(settings.__dict__, "streams_per_user", 1)
    assert app.post(body()).events
    taken = stream_slots.acquire(app.case.user, 1)
    assert taken is not None
    assert app.post(body(threadId="thread_002")).problem == (429, "AGENT_SSE_CONNECTION_LIMIT")
    assert sessions.read(session_id_of(app.case.user, "thread_002")) is None
    stream_slots.release(taken)
    assert app.post(body(messages=None)).problem == (422, "AGENT_RUN_MESSAGES_INVALID")
    assert app.post(body(runId="run_002", forwardedProps={"runtime_mode": "none"})).problem is not None
    assert app.post(body()).events


def test_a_second_run_of_a_busy_thread_is_refused(app: App, use: Use) -> None:
    """CMP-12: while the first goes on."""
    use(completed("好"), DONE)
    refused: list[Answer] = []

    def meanwhile() -> None:
        refused.append(App(app.case).post(body("run_002")))
        execute_run.work(runs.key_of(app.case.user, session_id_of(app.case.user, "thread_001"), "run_001"))

    assert app.post(body("run_001"), meanwhile).events[-1]["type"] == "RUN_FINISHED"
    assert refused[0].problem == (409, "AGENT_RUN_IN_PROGRESS")


def test_an_agent_that_fails_ends_the_stream_with_its_public_words(app: App, use: Use) -> None:
    """EVT-08, RNR-40: what it had said is closed before."""
    use(delta("我"), ("run.failed", {"code": "model.busy", "message": "the model is busy"}))
    events = app.post(body()).events
    assert [event["type"] for event in events][-2:] == ["TEXT_MESSAGE_END", "RUN_ERROR"]
    assert events[-1] == {"type": "RUN_ERROR", "message": "the model is busy", "code": "model.busy"}


@pytest.mark.parametrize("version", [None, "1.0"])
def test_a_cancelled_run_ends_as_the_client_understands_it(app: App, version: str | None) -> None:
    """EVT-28, CAN-04: whoever cancels it, by the session's name that RUN_STARTED told."""
    session = session_id_of(app.case.user, "thread_001")

    def cancel() -> None:
        cancel_run.cancel_run(app.case.user, session, "run_001")

    sent = body() if version is None else body(protocolVersion=version)
    started, ended = app.post(sent, cancel).events
    assert started["metadata"] == {SESSION: session}
    if version is None:
        assert ended == {"type": "RUN_ERROR", "message": "run canceled by user", "code": "RUN_CANCELED"}
    else:
        names = {"threadId": "thread_001", "runId": "run_001"}
        assert ended == {"type": "RUN_FINISHED", **names, "outcome": {"type": "cancelled"}}


def test_a_stream_that_may_last_no_longer_ends_with_an_event_and_the_run_goes_on(app: App, use: Use) -> None:
    """EVT-08, EVT-24: a client would take silence for success; it joins the run and sees its end."""
    use(delta("你"), delta("好"), DONE)
    app.time_left = int((event_stream.MARGIN_SECONDS + 0.3) * 1000)
    events = app.post(body(), lambda: None).events
    assert (events[-1]["type"], events[-1]["code"]) == ("RUN_ERROR", "STREAM_TIMEOUT")
    session = session_id_of(app.case.user, "thread_001")
    run_key = runs.key_of(app.case.user, session, "run_001")
    assert not runs.must_read(run_key).ended
    app.time_left = 900_000
    joined = app.watch(session, "run_001", "snapshot", act=lambda: execute_run.work(run_key)).events
    assert [event["type"] for event in joined][:2] == ["RUN_STARTED", "MESSAGES_SNAPSHOT"]
    assert joined[1]["messages"] == [{"id": "msg_1", "role": "user", "content": "你好"}]
    assert joined[-1]["type"] == "RUN_FINISHED"


def test_a_stream_that_fails_ends_with_an_event(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    """EVT-08, ERR-12: after the first byte there is no problem+json; the cause is in the log alone."""

    def fail(*_: Any, **__: Any) -> Any:
        raise RuntimeError("the table's secrets")

    answer = app.post(body(), lambda: monkeypatch.setattr(journal, "read", fail))
    assert (answer.events[-1]["type"], answer.events[-1]["code"]) == ("RUN_ERROR", "STREAM_FAILED")
    assert b"secrets" not in answer.body


def test_a_client_in_the_agui_profile_goes_on_after_any_cursor(app: App) -> None:
    """EVT-04, C12: to the byte, whatever the events before it meant."""
    session = app.post(DIVINATION).events[0]["metadata"][SESSION]
    whole = app.watch(session, "run_001", "agui").body
    frames = [frame + b"\n\n" for frame in whole.split(b"\n\n")[:-1]]
    for index, frame in enumerate(frames[:-1], 1):
        number = int(frame.split(b"\n")[0].removeprefix(b"id: "))
        assert app.watch(session, "run_001", "agui", after=number).body == b"".join(frames[index:])


def test_a_snapshot_of_a_run_that_has_ended_is_the_conversation_and_its_end(app: App, use: Use) -> None:
    """EVT-05, EVT-14: with what was said before, from the session; later runs are not of it."""
    for number, text in (("1", "一"), ("2", "二"), ("3", "三")):
        use(completed(text), DONE)
        assert app.post(body(f"run_{number}", {"id": f"msg_{number}", "role": "user", "content": number})).events
    joined = app.watch(session_id_of(app.case.user, "thread_001"), "run_2", "snapshot").events
    assert [event["type"] for event in joined] == ["RUN_STARTED", "MESSAGES_SNAPSHOT", "RUN_FINISHED"]
    assert [message["content"] for message in joined[1]["messages"]] == ["1", "一", "2", "二"]


def test_another_profile_is_refused_and_takes_no_slot(app: App, use: Use) -> None:
    """ERR-10, EVT-06."""
    use(completed("好"), DONE)
    app.post(body())
    session = session_id_of(app.case.user, "thread_001")
    assert app.watch(session, "run_001", "morse").problem == (422, "AGENT_EVENTS_QUERY_INVALID")
    assert stream_slots.acquire(app.case.user, 1) is not None


def test_the_threads_of_two_users_are_two(app: App, use: Use) -> None:
    """SEC-03, C5: though both call theirs the same; a session by its UUID is its owner's."""
    use(completed("好"), DONE)
    app.post(body())
    bob = App()
    assert bob.post(body()).events[-1]["type"] == "RUN_FINISHED"
    theirs = session_id_of(app.case.user, "thread_001")
    assert bob.post(body("run_2", threadId=theirs)).problem == (403, "AGENT_FORBIDDEN")


def test_an_agent_speaks_first_or_goes_on_without_a_user_message(app: App, use: Use) -> None:
    """C45: the session begins with what the agent says; a greeting of the client's own is kept before it."""
    use(completed("欢迎"), DONE)
    greeting = {"id": "g", "role": "assistant", "content": "你好"}
    for thread, messages, heard in (("a", [], ["欢迎"]), ("b", [greeting], ["你好", "欢迎"])):
        events = app.post(body(threadId=thread, messages=messages)).events
        assert events[-1]["type"] == "RUN_FINISHED"
        session = session_id_of(app.case.user, thread)
        assert [message.content for message in sessions.messages(session)] == heard
        joined = app.watch(session, "run_001", "snapshot").events
        assert [message["content"] for message in joined[1]["messages"]] == heard
    runner = use(completed("看到了"), DONE)
    app.post(body("run_002", threadId="a", messages=[calling(CONFIRM), result(CONFIRM, "confirmed")]))
    assert runner.contexts[-1].subject is not None
    assert runner.contexts[-1].subject.subject_type == "conversation"
    assert runner.contexts[-1].event.data["tool_results"] == [{"tool_call_id": "call_003", "content": "confirmed"}]


def test_long_text_runs_and_is_kept_whole(app: App, use: Use) -> None:
    """C43: as far as the body's limit goes."""
    runner = use(completed("好"), DONE)
    pasted = "卦" * 80_000
    assert app.post(body("run_001", user(pasted))).events[-1]["type"] == "RUN_FINISHED"
    assert runner.contexts[-1].input.text == pasted
    question, _ = sessions.messages(session_id_of(app.case.user, "thread_001"))
    assert question.content == pasted
    assert app.post(body("run_002", user("卦" * 100_000))).problem == (413, "AGENT_RUN_INPUT_INVALID")


@pytest.mark.parametrize("profile", [None, "agui", "snapshot"])
def test_no_stream_has_a_line_break_of_unicode(app: App, use: Use, profile: str | None) -> None:
    """C49: in both doors, and what is told is the same."""
    spoken = "一\u2028二\u2029三\x85四"
    use(completed(spoken), DONE)
    answer = app.post(body())
    session = session_id_of(app.case.user, "thread_001")
    streams = [answer.body]
    if profile is not None:
        streams.append(app.watch(session, "run_001", profile).body)
    for stream in streams:
        assert not set("\u2028\u2029\x85") & set(stream.decode())
        assert spoken in [*map(str, _texts_of(data_of(stream)))]


def _texts_of(lines: list[str]) -> list[Any]:
    events = [json.loads(line) for line in lines]
    texts = [event["delta"] for event in events if event["type"] == "TEXT_MESSAGE_CONTENT"]
    restated = [reply.get("content") for event in events for reply in event.get("messages", ())]
    return ["".join(texts), *restated]
