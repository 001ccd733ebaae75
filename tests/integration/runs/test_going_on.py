"""How a conversation goes on at the AG-UI door after a broken stream, a stop, or a cast (C39, C40, C41)."""

from typing import Any

import pytest

from tests.support.agui.app import CONFIRM, GET_WEATHER, SEARCH, App, body, calling, result, started, tool, user
from tests.support.agui.client import data_of, read
from tests.support.example_cast import EXAMPLE
from tests.support.runners.scripted import DONE, Use, completed, delta
from yarrow.runs import cancel_run
from yarrow.runs.agui import request
from yarrow.runs.send_message import session_id_of
from yarrow.store import runs, sessions
from yarrow.store.limits import stream_slots
from yarrow.worker import execute_run

pytestmark = pytest.mark.usefixtures("aws")


def test_a_broken_run_is_taken_up_with_its_own_output_in_the_list(app: App, use: Use) -> None:
    """C39: also what a tool of the service answered; the replay takes it off the screen first."""
    weather = ("tool.call.completed", {"tool_call_id": "call_001", "result": "晴"})
    use(delta("我查一下"), started(GET_WEATHER), weather, delta("晴天"), DONE)
    whole = app.post(body("run_001", user("天气?"))).events
    shown = read(data_of(app.post(body("run_001", user("天气?"))).body)).messages
    for many in range(1, len(shown) + 1):
        partial = [*shown[: many - 1], {**shown[many - 1], "content": "我"}]
        again = app.post(body("run_001", user("天气?"), *partial))
        assert again.events[1] == {"type": "MESSAGES_SNAPSHOT", "messages": [user("天气?")]}
        assert [again.events[0], *again.events[2:]] == whole
    assert app.post(body("run_001", user("别的?"), *shown)).problem == (409, "AGENT_RUN_CONFLICT")


def test_what_the_users_tools_answered_makes_another_run(app: App, use: Use) -> None:
    """C39, RUN-23: it is no output of the run. After that, the partial answer to it is."""
    tools = [tool(CONFIRM), tool(SEARCH)]
    use(started(CONFIRM), DONE)
    app.post(body("run_001", user("删"), tools=tools))
    answered = [user("删"), calling(CONFIRM), result(CONFIRM, "yes")]
    assert app.post(body("run_001", *answered, tools=tools)).problem == (409, "AGENT_RUN_CONFLICT")
    use(completed("已删除"), DONE)
    whole = app.post(body("run_002", *answered, tools=tools)).events
    partial = {"id": "own", "role": "assistant", "content": "已"}
    again = app.post(body("run_002", *answered, partial, tools=tools, state={"other": 1})).events
    assert again[1]["messages"] == answered
    assert [again[0], *again[2:]] == whole


def test_a_run_that_nobody_watches_makes_way(app: App, use: Use, monkeypatch: pytest.MonkeyPatch) -> None:
    """C40: cancelled by the next message; while somebody watches, from whatever device, it is 409."""
    monkeypatch.setattr(request, "VIEWER_CHECK_PAUSES", (0.0,))
    use(completed("好"), DONE)
    session = session_id_of(app.case.user, "thread_001")
    first = runs.key_of(app.case.user, session, "run_001")
    refused = []

    def break_off() -> None:
        refused.append(app.post(body("run_002", {**user("二"), "id": "msg_2"}), act=None).problem)
        raise ConnectionError

    with pytest.raises(BaseException):  # noqa: B017, PT011 (as the framework groups it)
        app.post(body("run_001"), break_off)
    assert refused == [(409, "AGENT_RUN_IN_PROGRESS")]
    other = stream_slots.acquire(app.case.user, 20, first)
    assert other is not None
    messages = (user("你好"), {**user("二"), "id": "msg_2"})
    assert app.post(body("run_002", *messages)).problem == (409, "AGENT_RUN_IN_PROGRESS")
    stream_slots.release(other)
    assert app.post(body("run_002", *messages)).events[-1]["type"] == "RUN_FINISHED"
    assert runs.must_read(first).phase == "canceled"
    assert [message.content for message in sessions.messages(session)] == ["你好", "二", "好"]
    execute_run.work(first)
    assert len(list(sessions.messages(session))) == 3


CAST: dict[str, Any] = {"divinationPayload": EXAMPLE}


def test_plain_text_follows_up_on_the_cast_and_another_cast_is_a_new_one(app: App) -> None:
    """C41: with no forwardedProps, with the same again, with others; the wording of the first is not needed again."""

    def casts(run: str, text: str, **props: Any) -> bool:
        events = app.post(body(run, {**user(text), "id": run}, forwardedProps=props)).events
        assert events[-1]["type"] == "RUN_FINISHED"
        return any(event["type"] == "CUSTOM" for event in events)

    assert casts("run_1", "我最近换工作是否合适?", **CAST)
    assert not casts("run_2", "什么时候?")
    assert not casts("run_3", "财运呢?", **CAST)
    assert not casts("run_4", "还有呢?", runtime_mode="chat", **CAST)
    other = {**EXAMPLE, "question": "妹妹今年会结婚吗?"}
    assert casts("run_5", "妹妹今年会结婚吗?", divinationPayload=other)
    assert not casts("run_6", "然后呢?", divinationPayload=other)
    assert casts("run_7", "再看一次", **CAST)


def test_a_cast_that_is_regenerated_is_cast_again(app: App) -> None:
    """C41, C38: before it was answered, nothing was cast on the branch."""
    question = user("我最近换工作是否合适?")
    for run in ("run_1", "run_2"):
        events = app.post(body(run, question, forwardedProps=CAST)).events
        assert [event["type"] for event in events].count("CUSTOM") == 1


def test_a_follow_up_is_about_the_cast_of_its_branch(app: App) -> None:
    """C38, C41, FUP-05, FUP-06: A later cast on another branch changes nothing, and this branch may have none."""
    requests = [user("换工作?"), *({**user("什么时候有结果?"), "id": f"u{number}"} for number in (2, 3))]
    other = {**EXAMPLE, "question": "妹妹今年会结婚吗?", "yaoLines": ["少阳"] * 6}

    def outcome_of(run: str, *messages: dict[str, Any], **changes: Any) -> tuple[str, str]:
        events = app.post(body(run, *messages, **changes)).events
        text = "".join(event["delta"] for event in events if event["type"] == "TEXT_MESSAGE_CONTENT")
        kinds = [event["type"] for event in events]
        assert kinds.count("CUSTOM") == ("forwardedProps" in changes)
        return text, next((event["messageId"] for event in events if "messageId" in event), "")

    def answer(texts: tuple[str, str]) -> dict[str, Any]:
        return {"id": texts[1], "role": "assistant", "content": texts[0]}

    first = outcome_of("run_1", requests[0], forwardedProps=CAST)
    about_first = outcome_of("run_2", requests[0], answer(first), requests[1])
    second = {**user("妹妹今年会结婚吗?"), "id": "u9"}
    outcome_of(
        "run_3",
        requests[0],
        answer(first),
        requests[1],
        answer(about_first),
        second,
        forwardedProps={"divinationPayload": other},
    )
    about_second = outcome_of("run_4", requests[2])
    assert about_second[0] != about_first[0]
    assert outcome_of("run_5", requests[0], answer(first), {**requests[1], "id": "u5"})[0] == about_first[0]
    nothing = app.post(body("run_7", {**user("换工作??"), "id": "msg_1"})).events[-1]
    assert (nothing["type"], nothing["code"]) == ("RUN_ERROR", "AGENT_DIVINATION_MISSING")


def test_the_message_of_a_cast_without_an_answer_is_cast_again(app: App) -> None:
    """C41, C40: without its payload; other words are a follow-up on it."""
    app.post(body("run_1", user("换工作?"), forwardedProps=CAST))
    again = app.post(body("run_2", user("换工作?"))).events
    assert [event["type"] for event in again].count("CUSTOM") == 1
    session = session_id_of(app.case.user, "thread_002")
    app.post(
        body("run_1", user("换工作?"), threadId="thread_002", forwardedProps=CAST),
        lambda: cancel_run.stop(runs.key_of(app.case.user, session, "run_1")),
    )
    other = app.post(body("run_2", {**user("什么时候?"), "id": "msg_2"}, threadId="thread_002")).events
    assert [event["type"] for event in other].count("CUSTOM") == 0
    assert other[-1]["type"] == "RUN_FINISHED"
