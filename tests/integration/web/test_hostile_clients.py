"""Whatever an AG-UI client may send: each request is a run or a problem that says what is wrong, and nothing fails."""

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.agui.app import App, body, user
from tests.support.effort import examples
from tests.support.runners.scripted import DONE, Use, completed
from yarrow.protocol.agui.request import MAX_BYTES
from yarrow.runs.send_message import session_id_of
from yarrow.store import runs, sessions
from yarrow.worker import execute_run

pytestmark = [pytest.mark.usefixtures("aws"), pytest.mark.memory]
"""On moto alone: what counts here comes before the table."""

MESSAGES = "AGENT_RUN_MESSAGES_INVALID"
INPUT = "AGENT_RUN_INPUT_INVALID"


@pytest.fixture(autouse=True)
def _answered(use: Use) -> None:
    use(completed("好"), DONE)


def call(id_: Any = "c1", name: str = "search", **changes: Any) -> dict[str, Any]:
    return {"id": id_, "type": "function", "function": {"name": name, "arguments": "{}"}} | changes


def calling(*calls: Any, **changes: Any) -> dict[str, Any]:
    return {"id": "m2", "role": "assistant", "toolCalls": list(calls)} | changes


def result(id_: str, content: Any, **changes: Any) -> dict[str, Any]:
    return {"id": f"r-{id_}", "role": "tool", "toolCallId": id_, "content": content} | changes


def media(kind: str, source: Any) -> dict[str, Any]:
    return {
        **user(""),
        "content": [{"type": "text", "text": "看"}, {"type": kind, "source": source, "metadata": {"a": 1}}],
    }


THREAD_AND_RUN = "a thread and a run of many bytes"
STATES: tuple[Any, ...] = (0, "文", [[]], {"": {"": None}, "a": 2**70})
TAKEN: dict[str, dict[str, Any]] = {
    "null wherever a member may be missing": body(
        "r",
        {**user("你好"), "name": None, "encryptedValue": None},
        protocolVersion=None,
        parentRunId=None,
        state=None,
        tools=None,
        context=None,
        forwardedProps=None,
        resume=None,
    ),
    "an assistant that said nothing": body(
        "r", {"id": "a", "role": "assistant", "content": None, "toolCalls": None, "name": None}, user("你好")
    ),
    "results of two parallel calls, the second first": body(
        "r", user("找"), calling(call("c1"), call("c2")), result("c2", "二"), result("c1", "一")
    ),
    "a result in parts": body(
        "r",
        user("找"),
        calling(call()),
        result("c1", [{"type": "text", "text": "一"}, {"type": "image", "source": {"type": "url", "value": "x"}}]),
    ),
    "an empty result with an error": body("r", user("找"), calling(call()), result("c1", "", error="失败")),
    "a name of many bytes": body("r", {**user("你好"), "name": "🀄" * 500}),
    THREAD_AND_RUN: body("🀄" * 128, threadId="卦" * 128),
    "empty messages before": body(
        "r", user("") | {"id": "m0"}, {"id": "m1", "role": "system", "content": ""}, user("问")
    ),
    "the same id on all messages": body(
        "r", user("一"), {"id": "msg_1", "role": "assistant", "content": "二"}, user("三")
    ),
    "unknown roles": body("r", {"role": "oracle"}, {"id": 7, "role": "future", "content": 5}, user("问")),
    "no message": body("r", messages=[]),
    "a question of 10,001 characters": body("r", user("卦" * 10_001)),
    "unknown members everywhere": body(
        "r",
        {**user("问"), "subagentRunId": "s", "metadata": {"k": [None]}},
        tools=[{"name": "t", "description": "d", "parameters": {}, "metadata": {"x": 1}, "strict": True}],
        context=[{"description": "d", "value": "v", "priority": 1}],
        limits={"maxTokens": 5},
    ),
    "a user's message in texts that are nearly nothing": body(
        "r", {**user(""), "content": [{"type": "text", "text": ""}, {"type": "text", "text": "问"}, None, 5, [], {}]}
    ),
    "a recording": body("r", media("audio", {"type": "data", "value": "UklGRg==", "mimeType": "audio/wav"})),
    "a film of a newer kind": body("r", media("hologram", {"type": "cloud", "value": "x"})),
    **{
        f"an image from {json.dumps(source)}": body("r", media("image", source))
        for source in (
            {"type": "url", "value": "https://example.com/1.png"},
            {"type": "url", "value": "http://[::1"},
            {"type": "file", "value": "gs://bucket/1.png", "provider": "google"},
            {"type": "cloud", "value": "x"},
            {"type": {"deep": 1}},
            None,
        )
    },
    **{f"a state that is {json.dumps(state)}": body("r", state=state) for state in STATES},
}


def test_what_a_client_may_send_becomes_a_run(app: App) -> None:
    """MSG-01 … MSG-06, TOOL-01, TOOL-02, EVT-19, EVT-21, C5, C7, C43, C45."""
    for name, given_body in TAKEN.items():
        sent = given_body if name == THREAD_AND_RUN else given_body | {"threadId": name}
        answer = app.post(sent)
        assert (name, answer.status) == (name, 200), answer.body
        assert [event["type"] for event in answer.events][-1] == "RUN_FINISHED"
        assert answer.events[0]["threadId"] == sent["threadId"]


def test_half_a_character_is_replaced(app: App) -> None:
    """C48: wherever it stands."""
    sent = body("r", user("\ud800好"), state={"a": "\udc00"})

    def work() -> None:
        execute_run.work(runs.key_of(app.case.user, session_id_of(app.case.user, "thread_001"), "r"))

    assert app.post(json.dumps(sent), work).events[-1]["type"] == "RUN_FINISHED"
    message, _ = sessions.messages(session_id_of(app.case.user, "thread_001"))
    assert message.content == "\ufffd好"


REFUSED: dict[str, tuple[Any, int, str, str]] = {
    "nothing": ("", 400, "REQUEST_INVALID", "the request body"),
    "half an object": ('{"threadId": "t"', 400, "REQUEST_INVALID", "the request body"),
    "no number": ('{"state": NaN}', 400, "REQUEST_INVALID", "the request body"),
    "300 arrays, one in the other": ("[" * 300 + "]" * 300, 400, "REQUEST_INVALID", "the request body"),
    "a name twice": ('{"threadId": "t", "threadId": "t"}', 400, "REQUEST_INVALID", "the request body"),
    "null": ("null", 422, INPUT, "RunAgentInput must be an object"),
    "no thread": (body("r", threadId=None), 422, INPUT, "threadId"),
    "a thread of 129 characters": (body("r", threadId="卦" * 129), 422, INPUT, "threadId"),
    "a run that is a number": (body("r", runId=7), 422, INPUT, "runId"),
    "a parent that is an object": (body("r", parentRunId={}), 422, INPUT, "parentRunId"),
    "messages by name": (body("r", messages={"0": user("问")}), 422, MESSAGES, "RunAgentInput.messages"),
    "null for a message": (body("r", messages=[None, user("问")]), 422, MESSAGES, "RunAgentInput.messages[0]"),
    **{
        f"the first message has {changes}": (
            body("r", {**user("一"), "id": "m0"} | changes, user("二")),
            422,
            MESSAGES,
            f"RunAgentInput.messages[0]{named}",
        )
        for changes, named in (
            ({"role": None}, ""),
            ({"role": ["user"]}, ""),
            ({"id": ""}, ".id"),
            ({"id": "x" * 257}, ".id"),
            ({"content": None}, ".content"),
            ({"content": {}}, ".content"),
        )
    },
    "a blank question": (body("r", user(" \n")), 422, MESSAGES, "the user message is empty"),
    "no parts": (body("r", {**user(""), "content": []}), 422, MESSAGES, "the user message is empty"),
    "a call without a function": (
        body("r", user("找"), calling({"id": "c1", "type": "function"})), 422, MESSAGES,
        "RunAgentInput.messages[1].toolCalls[0].function",
    ),
    "arguments that are an object": (
        body("r", user("找"), calling(call(function={"name": "t", "arguments": {}}))), 422, MESSAGES,
        "RunAgentInput.messages[1].toolCalls[0].function.arguments",
    ),
    "a result for nobody": (
        body("r", user("找"), calling(call()), result("c9", "x")), 422, MESSAGES, "RunAgentInput.messages[2].toolCallId"
    ),
    "a result that is null": (
        body("r", user("找"), calling(call()), result("c1", None)), 422, MESSAGES, "RunAgentInput.messages[2].content"
    ),
    "tools by name": (body("r", tools={"t": {}}), 422, INPUT, "RunAgentInput.tools"),
    "a tool that is a name": (body("r", tools=["t"]), 422, INPUT, "RunAgentInput.tools[0]"),
    "a tool with a list of parameters": (
        body("r", tools=[{"name": "t", "description": "d", "parameters": []}]), 422, INPUT,
        "RunAgentInput.tools[0].parameters",
    ),
    "two tools with one name": (
        body("r", tools=[{"name": "t", "description": "d"}] * 2), 422, INPUT, "RunAgentInput.tools[1].name"
    ),
    "a tool with too long a name": (
        body("r", tools=[{"name": "查" * 257, "description": "d"}]), 422, INPUT, "RunAgentInput.tools[0].name"
    ),
    "context without a value": (
        body("r", context=[{"description": "d"}]), 422, INPUT, "RunAgentInput.context[0].value"
    ),
    "a state that is too large": (body("r", state="x" * 300_000), 413, INPUT, "size limit"),
    "4 MiB and a byte": ('"' + "x" * (MAX_BYTES - 1) + '"', 413, INPUT, "size limit"),
}  # fmt: skip


def test_what_cannot_become_one_is_refused_with_its_reason(app: App) -> None:
    """MSG-01 … MSG-05, TOOL-01, TOOL-02, ERR-01, ERR-09, ERR-11: the place is named as the client sent it."""
    for name, (sent, status, code, named) in REFUSED.items():
        answer = app.post(sent)
        assert (name, *answer.problem) == (name, status, code)
        assert named in json.loads(answer.body)["detail"]


def test_a_history_of_4_mib_is_taken_and_kept_as_far_as_there_is_room(app: App) -> None:
    """RUN-27, C22: with pictures in it that came whole, too."""
    message = {"id": "m", "role": "assistant", "content": "卦" * 10_000}
    picture = {**user(""), "content": [{"type": "binary", "mimeType": "image/png", "data": "A" * 900_000}]}
    sent = body("r", picture, *[message] * 103, user("问"))
    assert 0.95 < len(json.dumps(sent, ensure_ascii=False).encode()) / MAX_BYTES <= 1
    assert app.post(sent).events[-1]["type"] == "RUN_FINISHED"
    thread = session_id_of(app.case.user, "thread_001")
    *before, _, _ = sessions.messages(thread)
    assert sum(len(message.content.encode()) for message in before) == 60_000
    assert len(json.dumps(runs.read_input(runs.key_of(app.case.user, thread, "r")))) < 1_000


ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
PART = st.fixed_dictionaries(
    {"type": st.sampled_from(["text", "binary", "image", "document", "audio", "future"]) | ANY},
    optional={
        "text": ANY,
        "mimeType": st.sampled_from(["image/png", "text/plain"]) | ANY,
        "url": ANY,
        "data": ANY,
        "id": ANY,
        "source": st.fixed_dictionaries({"type": st.sampled_from(["url", "data", "file"]) | ANY, "value": ANY}) | ANY,
    },
)
MESSAGE = st.fixed_dictionaries(
    {"id": st.just("m") | ANY, "role": st.sampled_from(["user", "assistant", "system", "tool", "future"]) | ANY},
    optional={"content": ANY | st.lists(PART, max_size=4), "toolCalls": ANY, "toolCallId": ANY, "name": ANY},
)


@given(
    messages=st.lists(MESSAGE, max_size=4),
    others=st.dictionaries(
        st.sampled_from(["tools", "context", "state", "forwardedProps", "resume", "parentRunId", "protocolVersion"]),
        ANY,
    ),
)
@settings(max_examples=examples(30), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_comes_is_a_run_or_a_problem(app: App, messages: list[Any], others: dict[str, Any]) -> None:
    """ERR-01, ERR-12: The service never fails."""
    sent = body("r", **{"messages": [*messages, user("问")], **others})
    answer = app.post(sent)
    assert answer.status in (200, 409, 413, 422), answer.body
    assert answer.status == 200 or answer.problem
