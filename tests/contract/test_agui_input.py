"""Requests as AG-UI clients of every release send them, and the runs they become."""

import json
from typing import Any

import pytest
from ag_ui.core import RunAgentInput
from msgspec import structs

from tests.support.run_bodies import CAST, CLIENT_TIME, THREAD, user_message
from yarrow.protocol.agui import request
from yarrow.protocol.agui.media import Medium, medium_of
from yarrow.protocol.agui.request import LEFT_OUT, AgUiInput
from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.run_input.body import RunInput, parse_run_input
from yarrow.protocol.run_input.tool_results import client_results_of
from yarrow.protocol.runner.vocabulary import RESULT_CHARACTERS
from yarrow.runs.send_message import session_id_of
from yarrow_agents.assistant.input_rules import RULES

PROPS = frozenset({"divinationPayload"})

CALL: dict[str, Any] = {
    "id": "call_002",
    "type": "function",
    "function": {"name": "search_local_files", "arguments": "{}"},
}
QUESTION = {"id": "msg_1", "role": "user", "content": "帮我搜索本地的报告文件"}
FUNCTION_OF_OURS = {"name": "get_current_time", "arguments": "{}"}
CALLING = {"id": "msg_2", "role": "assistant", "toolCalls": [CALL]}
RESULT = {"id": "msg_3", "role": "tool", "toolCallId": "call_002", "content": '["2024年度报告.pdf"]'}


def body(**changes: Any) -> dict[str, Any]:
    """Return what a client of AG-UI 1.0 posts, with other members."""
    return {
        "threadId": "thread_001",
        "runId": "run_001",
        "protocolVersion": "1.0",
        "state": {},
        "messages": [QUESTION],
        "tools": [],
        "context": [],
        "forwardedProps": {},
    } | changes


OWN = "https://storage.example.com/agent-inputs/alice/1.png#seal"


def find_picture(medium: Medium, _: str) -> tuple[str, str] | None:
    """Return one picture by its URL, and one by each other way."""
    return ("image/png", OWN) if OWN in (medium.url, medium.data, medium.id, medium.handle) else None


def read(sent: Any) -> AgUiInput:
    return request.read(json.dumps(sent).encode(), PROPS, find_picture, find_picture)


def run_of(sent: Any) -> RunInput:
    return parse_run_input({**read(sent).body, "threadId": THREAD})


def refusal(sent: Any) -> Problem:
    with pytest.raises(Problem) as caught:
        run_of(sent)
    return caught.value


def test_the_clients_names_and_version_are_kept() -> None:
    """C5, EVT-19, EVT-28: any name of a thread; no version is one before 1.0."""
    agui_input = read(body(threadId="我的对话"))
    assert (agui_input.thread_id, agui_input.protocol_version) == ("我的对话", "1.0")
    sent = body()
    del sent["protocolVersion"]
    assert read(sent).protocol_version is None


def test_a_thread_that_is_no_uuid_is_a_session_of_its_user_alone() -> None:
    """C5, SEC-03: the same name of two users is two sessions; a UUID is the session that the other routes know."""
    assert session_id_of("alice", THREAD) == THREAD
    assert (
        session_id_of("alice", "thread_001")
        == session_id_of("alice", "thread_001")
        != session_id_of("bob", "thread_001")
    )


def test_what_is_new_is_the_last_user_message() -> None:
    """C4, C22: the rest of the conversation is the service's to remember, or to begin a session with."""
    sent = body(
        messages=[
            {"id": "0", "role": "system", "content": "be brief"},
            {"id": "1", "role": "user", "content": "你好"},
            {"id": "2", "role": "assistant", "content": "你好!"},
            {"id": "3", "role": "user", "content": "再见", "name": None},
        ]
    )
    run = run_of(sent)
    assert [message.id for message in run.messages] == ["3"]
    assert user_message(run).text() == "再见"
    assert [message.id for message in read(sent).earlier] == ["0", "1", "2"]


def test_the_answers_of_the_clients_tools_go_on_with_the_users_message() -> None:
    """EVT-21: This is the second round of scenario 2."""
    sent = body(messages=[QUESTION, CALLING, RESULT])
    assert [message.role for message in run_of(sent).messages] == ["user", "assistant", "tool"]
    assert read(sent).earlier == []


def test_the_result_of_a_call_that_nobody_made_is_refused() -> None:
    """EVT-21: after the last user message; what came before that is not looked at."""
    stray = {**RESULT, "toolCallId": "call_009"}
    problem = refusal(body(messages=[QUESTION, CALLING, stray]))
    assert problem.code is Code.AGENT_RUN_MESSAGES_INVALID
    assert problem.detail == "RunAgentInput.messages[2].toolCallId is not the id of an earlier tool call"
    assert user_message(run_of(body(messages=[stray, QUESTION]))).id == "msg_1"


def test_what_tools_answered_right_before_the_message_comes_with_it() -> None:
    """EVT-21: of calls that were made, and only what no message followed, for a run was told of that."""
    again = {**QUESTION, "id": "msg_5"}
    run = run_of(body(messages=[QUESTION, CALLING, RESULT, {**RESULT, "id": "x", "toolCallId": "call_009"}, again]))
    assert [result.id for result in run.results_before] == ["msg_3"]
    for between in ({"id": "msg_4", "role": "assistant", "content": "好"}, {**QUESTION, "id": "msg_4"}):
        assert run_of(body(messages=[QUESTION, CALLING, RESULT, between, again])).results_before == []


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        ({"type": "binary", "mimeType": "image/png", "url": "https://example.com/1.png"}, "image"),
        ({"type": "binary", "mimeType": "application/pdf", "id": "file-1", "filename": "a.pdf"}, "document"),
        ({"type": "binary"}, "document"),
        ({"type": "image", "source": {"type": "url", "value": "https://example.com/1.png"}}, "image"),
        ({"type": "audio", "source": {"type": "data", "value": "UklGRg==", "mimeType": "audio/wav"}}, "audio"),
        ({"type": "video", "source": {"type": "url", "value": None}}, "video"),
        ({"type": "document", "source": {"type": "file", "value": "f", "provider": "p"}, "metadata": {}}, "document"),
        ({"type": "image", "source": {"type": "cloud", "value": "f"}}, None),
        ({"type": "image", "source": None}, None),
        ({"type": "hologram", "depth": 3}, None),
        ({"type": ["image"]}, None),
        ("not even an object", None),
        (None, None),
    ],
)
def test_a_part_that_no_agent_can_use_fails_no_run(part: Any, expected: str | None) -> None:
    """MSG-02, C7, TOOL-02: old clients' `binary`, the media of 1.0, and what may come after it; the agent is told."""
    content = [{"type": "text", "text": "看看"}, part, part, {"type": "text", "text": "这个"}]
    run = run_of(body(messages=[{**QUESTION, "content": content}], context=[{"description": "页面", "value": "首页"}]))
    assert user_message(run).text() == "看看\n这个"
    assert user_message(run).pictures() == []
    assert [(context_entry.description, context_entry.value) for context_entry in run.context] == [
        ("页面", "首页"),
        *([(LEFT_OUT, expected)] if expected else []),
    ]


def test_what_is_left_out_of_earlier_messages_is_not_told() -> None:
    """C7, C22: it was told in its time."""
    old = {**QUESTION, "id": "0", "content": [{"type": "binary", "mimeType": "image/png", "data": "broken!"}]}
    assert run_of(body(messages=[old, QUESTION])).context == []


@pytest.mark.parametrize("text", [[], [{"type": "text", "text": " "}]])
def test_a_message_of_which_nothing_can_be_opened_says_so_to_the_agent(text: list[Any]) -> None:
    """C7, TOOL-02: it fails no run; a message of only voice is common on phones."""
    picture = {"type": "image", "source": {"type": "url", "value": "https://example.com/1.png"}}
    voice = {"type": "audio", "source": {"type": "data", "value": "UklGRg==", "mimeType": "audio/wav"}}
    run = run_of(body(messages=[QUESTION, {**QUESTION, "id": "msg_2", "content": [*text, picture, voice]}]))
    assert user_message(run).text().split("\n") == [
        "(image left out, for it cannot be opened here)",
        "(audio left out, for it cannot be opened here)",
    ]
    assert [(context_entry.description, context_entry.value) for context_entry in run.context] == [
        (LEFT_OUT, "image, audio")
    ]


@pytest.mark.parametrize(
    ("part", "medium"),
    [
        ({"type": "binary", "mimeType": "image/png", "data": "AA=="}, Medium("w", "image", data="AA==")),
        (
            {"type": "binary", "mime_type": "IMAGE/PNG", "url": "https://e/1", "data": "AA==", "id": "i"},
            Medium("w", "image", url="https://e/1", data="AA==", handle="i"),
        ),
        ({"type": "binary", "mimeType": "image/png", "data": "AA\n"}, Medium("w", "image", data="AA==")),
        ({"type": "binary", "mimeType": "audio/wav", "id": "i", "url": None}, Medium("w", "audio", id="i")),
        ({"type": "binary", "mimeType": 7, "data": ""}, Medium("w", "document")),
        (
            {"type": "binary", "mimeType": "x/y", "url": "data:image/png;base64,AA=="},
            Medium("w", "image", data="AA=="),
        ),
        (
            {"type": "binary", "mimeType": "image/svg+xml", "url": "data:image/svg+xml,<svg/>"},
            Medium("w", "image", url="data:image/svg+xml,<svg/>"),
        ),
        (
            {"type": "image", "source": {"type": "data", "value": "data:;base64,AA=="}, "id": "part"},
            Medium("w", "image", data="AA=="),
        ),
        (
            {"type": "document", "source": {"type": "data", "value": "AA==", "mimeType": "image/png"}},
            Medium("w", "image", data="AA=="),
        ),
        ({"type": "image", "source": {"type": "file", "value": "file-1"}}, Medium("w", "image", handle="file-1")),
    ],
)
def test_a_medium_says_where_its_bytes_are_in_the_words_of_any_release(part: Any, medium: Medium) -> None:
    """MSG-02, C7, RUN-02: a data URL is data; the id of a part of 1.0 is its own name and leads nowhere."""
    assert medium_of(part, "w") == medium


@pytest.mark.parametrize(
    "part",
    [
        {"type": "binary", "mimeType": "image/jpeg", "url": OWN},
        {"type": "image", "source": {"type": "url", "value": OWN}},
        {"type": "document", "source": {"type": "url", "value": OWN, "mimeType": "x/y"}, "id": "p"},
        {"type": "image", "source": {"type": "file", "value": OWN}},
        {"type": "binary", "mimeType": "image/jpeg", "id": OWN},
    ],
)
def test_a_picture_that_the_service_knows_stays_in_its_place(part: Any) -> None:
    """C7, RUN-16: whatever the client calls it; in the last user message alone, and no more than a run may have."""
    content = [{"type": "text", "text": "看看"}, part, {"type": "text", "text": "这个"}]
    sent = body(messages=[{**QUESTION, "id": "0", "content": content}, {**QUESTION, "content": content}])
    run = run_of(sent)
    assert user_message(run).text() == "看看\n这个"
    (picture,) = user_message(run).pictures()
    assert (picture.mime_type, picture.url) == ("image/png", OWN)
    assert read(sent).earlier[0].content == "看看\n这个"
    assert refusal(body(messages=[{**QUESTION, "content": [part] * 4}])).detail == "Too many attachments"


def test_whatever_a_newer_client_adds_bounces_no_run() -> None:
    """MSG-06, EVT-24: members everywhere, roles, and nulls where a member may be missing."""
    sent = body(
        protocolVersion="1.7",
        future={"any": 1},
        parentRunId=None,
        resume=None,
        state=None,
        messages=[
            {"id": "a", "role": "oracle", "content": {"deep": []}},
            {"id": "b", "role": "activity", "activityType": "PLAN", "content": {"steps": []}},
            {"id": "c", "role": "reasoning", "content": "想", "encryptedValue": "x"},
            {"id": "d", "role": "user", "content": "问", "metadata": {"k": 1}, "future": True},
        ],
        tools=[{"name": "ping", "description": "d", "metadata": {}}],
        context=None,
        forwardedProps=None,
    )
    run = run_of(sent)
    assert (run.runtime_mode, run.state, run.tools[0].parameters) == ("chat", {}, {})
    assert [message.id for message in read(sent).earlier] == ["unknown", "b", "c"]


def test_every_name_may_be_in_snake_case() -> None:
    """RUN-02."""
    sent = body(messages=[QUESTION, {"id": "2", "role": "assistant", "tool_calls": [CALL]}])
    sent["messages"].append({"id": "3", "role": "tool", "tool_call_id": "call_002", "content": "x"})
    for camel, snake in (("threadId", "thread_id"), ("runId", "run_id"), ("forwardedProps", "forwarded_props")):
        sent[snake] = sent.pop(camel)
    assert read(sent).thread_id == "thread_001"
    assert [message.role for message in run_of(sent).messages] == ["user", "assistant", "tool"]


def test_the_agents_members_are_read_and_the_rest_of_forwarded_props_is_passed_on() -> None:
    """FWD-01, FWD-13: whatever the client's own agent wants of it."""
    arguments = {
        "runtime_mode": "follow_up",
        "client_time": dict(CLIENT_TIME),
        "divinationPayload": dict(CAST),
        "mine": 1,
    }
    run = run_of(body(forwardedProps=arguments))
    assert run.runtime_mode == "follow_up"
    assert run.client_time is not None
    assert dict(run.extensions) == {"divinationPayload": CAST}
    assert run.passed_on["forwardedProps"] == {"mine": 1}
    assert run_of(body(forwardedProps={"runtimeMode": "automation"})).runtime_mode == "automation"
    assert run_of(body(forwardedProps={"runtime_mode": None})).runtime_mode == "chat"
    assert run_of(body(forwardedProps=["anything"])).passed_on["forwardedProps"] == ["anything"]


def test_what_the_client_gives_the_agent_reaches_the_run() -> None:
    """RUN-26, TOOL-01, TOOL-02, TOOL-03."""
    tool = {"name": "confirmAction", "description": "请求用户确认", "parameters": {"type": "object"}}
    run = run_of(body(tools=[tool], context=[{"description": "页面", "value": "首页"}], state=[1, {"a": None}]))
    assert [structs.asdict(tool) for tool in run.tools] == [tool]
    assert [structs.asdict(context_entry) for context_entry in run.context] == [
        {"description": "页面", "value": "首页"}
    ]
    assert run.state == [1, {"a": None}]


@pytest.mark.parametrize(
    ("changes", "status", "detail"),
    [
        ({"threadId": ""}, 422, "threadId must be a non-empty string"),
        ({"threadId": 7}, 422, "threadId must be a non-empty string"),
        ({"threadId": "x" * 129}, 422, "threadId exceeds length limit"),
        ({"runId": ""}, 422, "runId must be a non-empty string"),
        ({"runId": "x" * 129}, 422, "runId exceeds length limit"),
        ({"messages": None}, 422, "RunAgentInput.messages must be an array"),
        ({"messages": {}}, 422, "RunAgentInput.messages must be an array"),
        ({"messages": [QUESTION] * 5_001}, 422, "RunAgentInput.messages exceeds limit"),
        ({"messages": [CALLING, {"role": "user", "content": "x"}]}, 422, "invalid RunAgentInput.messages[1].id"),
        ({"messages": [{**QUESTION, "content": 7}]}, 422, "invalid RunAgentInput.messages[0].content"),
        ({"messages": [{"id": "1", "role": "x"}, {"id": "2", "role": "tool", "content": ""}, QUESTION]}, 422,
         "invalid RunAgentInput.messages[1].toolCallId"),
        ({"tools": {}}, 422, "RunAgentInput.tools must be an array"),
        ({"tools": [{"name": "t", "description": "d", "parameters": "{}"}]}, 422,
         "invalid RunAgentInput.tools[0].parameters"),
        ({"tools": [{"name": "", "description": "d"}]}, 422, "invalid RunAgentInput.tools[0].name"),
        ({"tools": [{"name": "x" * 257, "description": "d"}]}, 422, "invalid RunAgentInput.tools[0].name"),
        ({"context": [{"description": "d", "value": 1}]}, 422, "invalid RunAgentInput.context[0].value"),
        ({"forwardedProps": {"runtime_mode": "dance"}}, 422, "invalid RunAgentInput.forwardedProps"),
        ({"forwardedProps": {"client_time": {"device_timezone": "Mars/Base"}}}, 422,
         "invalid client_time.device_timezone"),
        ({"state": "x" * request.MAX_BYTES}, 413, "RunAgentInput payload exceeds size limit"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_refused_and_named(changes: dict[str, Any], status: int, detail: str) -> None:
    """MSG-01, TOOL-01, TOOL-02, ERR-09, ERR-11: by the rules and in the words of every run; places are the client's."""
    problem = refusal(body(**changes))
    assert (problem.status, problem.detail) == (status, detail)


def test_a_result_is_cut_to_what_is_read_of_it() -> None:
    """EVT-21, RUN-03: a tool of the client may answer with as much as a request holds."""
    for name in ("content", "error"):
        run = run_of(body(messages=[QUESTION, CALLING, {**RESULT, name: "卦" * 300_000}]))
        assert getattr(run.messages[2], name) == "卦" * (RESULT_CHARACTERS - 1) + "…"
    whole = {**RESULT, "content": "x" * RESULT_CHARACTERS}
    assert run_of(body(messages=[QUESTION, CALLING, whole])).messages[2].wire()["content"] == whole["content"]


@pytest.mark.parametrize(("rounds", "characters"), [(110, 1), (6, 16_000), (20, 16_000)])
def test_a_conversation_with_the_tools_of_the_service_fits_into_a_run(rounds: int, characters: int) -> None:
    """EVT-21, RUN-03: the results that are new, and the calls that they answer; the rest is the service's to know."""
    messages: list[dict[str, Any]] = [QUESTION]
    for number in range(rounds):
        call = {**CALL, "id": f"own_{number}"}
        messages.append({"id": f"a{number}", "role": "assistant", "toolCalls": [call]})
        messages.append({"id": f"t{number}", "role": "tool", "toolCallId": call["id"], "content": "卦" * characters})
    both = {**CALLING, "toolCalls": [CALL, {**CALL, "id": "call_x"}], "content": "请稍候"}
    run = run_of(body(messages=[*messages, both, {"id": "m", "role": "assistant", "content": "嗯"}, RESULT]))
    assert [message.id for message in run.messages] == ["msg_1", "msg_2", "msg_3"]
    question = run.messages[1].wire()
    assert (question["toolCalls"], question.get("content")) == ([CALL], None)


MUCH = "x" * 270_000


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("state", MUCH),
        ("context", [{"description": "d", "value": MUCH}]),
        ("tools", [{"name": "t", "description": MUCH}]),
        ("forwardedProps", {"mine": MUCH}),
        ("messages", [QUESTION, {**CALLING, "toolCalls": [{**CALL, "type": "function", "id": "call_002",
         "function": {"name": "n", "arguments": MUCH}}]}, RESULT]),
    ],
)  # fmt: skip
def test_a_run_that_is_too_large_is_told_by_what(name: str, value: Any) -> None:
    """RUN-03, ERR-11."""
    problem = refusal(body(**{name: value}))
    assert (problem.status, problem.code) == (413, Code.AGENT_RUN_INPUT_INVALID)
    assert problem.detail == f"RunAgentInput payload exceeds size limit, most of it by RunAgentInput.{name}"


@pytest.mark.parametrize(
    ("content", "heard"),
    [
        ([{"type": "image", "source": {"type": "url", "value": "https://x/y.png"}}],
         "(image left out, for it cannot be opened here)"),
        ([{"type": "text", "text": "看"}, {"type": "audio", "source": {"type": "data", "value": "AAAA"}}],
         "看\n(audio left out, for it cannot be opened here)"),
        ([{"type": "text", "text": "看"}, {"type": "text", "text": "这个"}], "看\n这个"),
        ([], ""),
    ],
)  # fmt: skip
def test_a_result_says_which_media_were_left_out(content: list[Any], heard: str) -> None:
    """MSG-05, C7: no tool has answered with nothing at all."""
    run = run_of(body(messages=[QUESTION, CALLING, {**RESULT, "content": content}]))
    assert run.messages[2].wire()["content"] == heard


PICTURE = {"type": "image", "source": {"type": "url", "value": OWN}}
VOICE = {"type": "audio", "source": {"type": "data", "value": "UklGRg==", "mimeType": "audio/wav"}}


def words(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def contents(run: RunInput, text: str) -> list[Any]:
    """What the agent gets of the only result with pictures: its texts, and the paths of pictures."""
    (found,) = run.result_pictures
    shown = found.contents(text, [picture.path for picture in found.pictures])
    return [part.get("text") or [part["artifact_id"]] for part in shown]


@pytest.mark.parametrize(
    ("content", "seen"),
    [
        ([PICTURE], [[OWN]]),
        ([words("a"), PICTURE, words("b")], ["a", [OWN], "b"]),
        ([PICTURE, words("a"), words("b"), PICTURE], [[OWN], "a\nb", [OWN]]),
        ([words("a"), PICTURE, VOICE, words("b")], ["a", [OWN], "b", "(audio left out, for it cannot be opened here)"]),
        ([words(""), words("a"), PICTURE, words("")], ["a", [OWN]]),
        ([words("x" * 20_000), PICTURE], ["x" * (RESULT_CHARACTERS - 1) + "…", [OWN]]),
        (
            [words("x" * (RESULT_CHARACTERS - 9)), PICTURE, words("y")],
            ["x" * (RESULT_CHARACTERS - 9), [OWN], "y"],
        ),
    ],
)
def test_a_result_s_pictures_are_in_their_places(content: list[Any], seen: list[Any]) -> None:
    """MSG-05, C7: the message has a line in their place, for those who do not see them."""
    run = run_of(body(messages=[QUESTION, CALLING, {**RESULT, "content": content}]))
    text = run.messages[2].wire()["content"]
    assert contents(run, text) == seen
    assert "image left out" in text or len(text) == RESULT_CHARACTERS


def test_only_results_that_the_run_brings_show_pictures() -> None:
    """EVT-21, MSG-05: Results count after the last user message or right before it; those of earlier runs do not."""
    shown = {**RESULT, "content": [PICTURE]}
    tools = [{"name": CALL["function"]["name"], "description": "d"}]
    message = {"id": "a", "role": "assistant", "content": "好"}
    again = {**QUESTION, "id": "next"}
    brought = {
        "after": [QUESTION, CALLING, shown],
        "right before": [QUESTION, CALLING, shown, again],
        "without a question": [CALLING, shown],
        "earlier": [QUESTION, CALLING, shown, message, again],
    }
    found = {name: run_of(body(messages=sent, tools=tools)).result_pictures for name, sent in brought.items()}
    assert {name: len(pictures) for name, pictures in found.items()} == {
        "after": 1,
        "right before": 1,
        "without a question": 1,
        "earlier": 0,
    }


def test_the_latest_results_show_as_many_pictures_as_a_message_may_have() -> None:
    """RUN-17, MSG-05: Of several results of a call, the last counts."""
    calls = [{**CALL, "id": f"c{number}"} for number in range(3)]
    results = [
        {**RESULT, "id": f"t{number}", "toolCallId": f"c{number}", "content": [PICTURE] * 2} for number in range(3)
    ]
    repeated = {**results[2], "id": "t2-again", "content": [PICTURE]}
    sent = [QUESTION, {**CALLING, "toolCalls": calls}, *results, repeated]
    found = run_of(body(messages=sent)).result_pictures
    assert [(result_pictures.tool_call_id, len(result_pictures.pictures)) for result_pictures in found] == [
        ("c1", 2),
        ("c2", 1),
    ]


def test_pictures_of_results_are_for_agui_clients_alone() -> None:
    """RUN-03, SEC-03: a path is never the client's word."""
    picture = {"at": 0, "mime_type": "image/png", "path": "agent-inputs/bob/1.png"}
    member = {"tool_call_id": "call_002", "text_length": 0, "pictures": [picture], "left_out": []}
    sent = body(messages=[QUESTION, CALLING, RESULT], passedOn={"resultPictures": [member]})
    assert run_of(sent).result_pictures == []


def test_the_official_client_models_write_what_is_read_here() -> None:
    """CMP-07: the input of the Python SDK, as it is sent."""
    sent = RunAgentInput.model_validate(body(messages=[QUESTION, CALLING, RESULT]))
    assert len(run_of(sent.model_dump(mode="json", by_alias=True)).messages) == 3


def test_the_clients_results_count_whatever_stands_between_them() -> None:
    """EVT-21: as CopilotKit sends them, each right behind the message of its call."""
    calls = [{**CALL, "id": name} for name in ("c1", "c2")]
    texts = [{"id": f"a-{call['id']}", "role": "assistant", "toolCalls": [call]} for call in calls]
    results = [{**RESULT, "id": f"t-{call['id']}", "toolCallId": call["id"]} for call in calls]
    tools = [{"name": CALL["function"]["name"], "description": "d"}]
    interleaved: list[dict[str, Any]] = [QUESTION, texts[0], results[0], texts[1], results[1]]

    def brought(*messages: dict[str, Any], **changes: Any) -> list[str]:
        sent = body(messages=messages, tools=tools, **changes)
        arguments = {**read(sent).body, "threadId": THREAD}
        by_runner = RULES.data(parse_run_input(arguments)).get("tool_results", [])
        assert client_results_of(arguments) == by_runner
        return [item["tool_call_id"] for item in by_runner]

    assert brought(*interleaved) == ["c1", "c2"]
    assert brought(*interleaved, {**QUESTION, "id": "next"}) == ["c1", "c2"]
    assert brought(*interleaved, {"id": "a", "role": "assistant", "content": "好"}, {**QUESTION, "id": "next"}) == []
    assert brought(*interleaved, {"id": "a", "role": "assistant", "content": "(part of)"}) == ["c1", "c2"]
    # What the service's own tools answered, it knows.
    own = {"id": "a0", "role": "assistant", "toolCalls": [{**CALL, "id": "c0", "function": FUNCTION_OF_OURS}]}
    answered = {**RESULT, "id": "t-c0", "toolCallId": "c0"}
    assert brought(QUESTION, own, answered, *interleaved[1:]) == ["c1", "c2"]


def test_a_conversation_without_a_user_message_is_a_run() -> None:
    """C45: the agent speaks first, or goes on with what tools answered."""
    greeting = {"id": "g", "role": "assistant", "content": "你好，有什么可以帮你？"}
    for messages in ([], [greeting], [{"id": "s", "role": "system", "content": "s"}, greeting]):
        run = run_of(body(messages=messages))
        assert (run.user_message, run.messages, run.text, run.pictures) == (None, [], "", [])
        assert [message.id for message in read(body(messages=messages)).earlier] == [
            message["id"] for message in messages
        ]
    run = run_of(body(messages=[CALLING, RESULT]))
    assert ([message.role for message in run.messages], run.results_before) == (["assistant", "tool"], [])


THOUGHT = {"id": "r", "role": "reasoning", "content": "Hm", "encryptedValue": "v"}
ANSWER = {"id": "a", "role": "assistant", "content": "Yes."}


def test_the_reasoning_of_the_list_goes_with_the_run_as_far_as_there_is_room() -> None:
    """MSG-06, RUN-03: official clients send it as they got it; it fails no request."""
    messages = [QUESTION, THOUGHT, ANSWER, {**QUESTION, "id": "msg_9"}]
    RunAgentInput.model_validate(body(messages=messages))
    listed = [{"of": ["a"], "content": "Hm", "encryptedValue": "v"}]
    assert run_of(body(messages=messages)).passed_on["reasoning"] == listed
    full = run_of(body(messages=messages, forwardedProps={"x": "x" * (256 * 1024 - 800)}))
    assert "reasoning" in full.passed_on
    messages[1] = {**THOUGHT, "encryptedValue": "v" * 10_000}
    full = run_of(body(messages=messages, forwardedProps={"x": "x" * (256 * 1024 - 800)}))
    assert "reasoning" not in full.passed_on
    assert full.user_message is not None


def test_the_text_of_a_message_has_no_limit_but_the_runs() -> None:
    """C43: pasted text; RUN-07 holds on `POST /runs`."""
    long = {**QUESTION, "content": "卦" * 60_000}
    assert len(run_of(body(messages=[long])).text) == 60_000
    problem = refusal(body(messages=[{**QUESTION, "content": "卦" * 90_000}]))
    assert (problem.status, problem.code) == (413, Code.AGENT_RUN_INPUT_INVALID)
    assert problem.detail.endswith("most of it by RunAgentInput.messages")


@pytest.mark.parametrize("half", ["\\ud83d", "\\uDC00", "\\ude00\\ud83d"])
def test_half_a_surrogate_pair_becomes_the_replacement_character(half: str) -> None:
    """C48: in earlier messages and the new one, in names of members too; whole pairs stay."""
    sent = body(
        messages=[
            {**QUESTION, "id": "0", "content": "HALF"},
            CALLING,
            RESULT,
            {**QUESTION, "content": "HALF\U0001f600"},
        ],
        state={"HALF": 1, "": 2},
        forwardedProps={"mine": ["HALF"]},
    )
    text = json.dumps(sent).replace("HALF", half)
    agui_input = request.read(text.encode(), PROPS, find_picture, find_picture)
    mended = "\ufffd" * half.count("u")
    assert agui_input.body["messages"][0]["content"] == f"{mended}\U0001f600"
    assert agui_input.earlier[0].wire()["content"] == mended
    assert agui_input.body["state"] == {mended: 1, "": 2}
    assert agui_input.body["passedOn"]["forwardedProps"] == {"mine": [mended]}
