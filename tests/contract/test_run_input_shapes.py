"""The shapes of messages, tools and context, and the two spellings of every member's name."""

import re
from typing import Any

import pytest
from msgspec import structs

from tests.support.run_bodies import (
    CAST,
    CLIENT_TIME,
    PICTURE,
    admitted,
    body,
    parsed,
    props,
    refusal,
    user,
    user_message,
    without,
)
from yarrow.protocol.problems import Code
from yarrow.protocol.run_input.messages import Message
from yarrow_agents.divination.input_rules import divination_payload

ASSISTANT: dict[str, Any] = {
    "id": "a",
    "role": "assistant",
    "content": None,
    "name": None,
    "toolCalls": [
        {
            "id": "call-1",
            "type": "function",
            "function": {"name": "get_weather", "arguments": '{"city":"北京"}'},
            "encryptedValue": "c2VjcmV0",
        }
    ],
    "encryptedValue": None,
}
TOOL_RESULT = {
    "id": "t",
    "role": "tool",
    "content": "晴",
    "toolCallId": "call-1",
    "error": None,
    "encryptedValue": "b3BhcXVl",
}
TOOL = {"name": "get_weather", "description": "Weather", "parameters": {"type": "object", "required": ["city"]}}

ACCEPTED = [
    ("MSG-03", ASSISTANT),
    ("MSG-03", {"id": "a", "role": "assistant"}),
    ("MSG-03", {"id": "a", "role": "assistant", "content": "", "name": "n", "toolCalls": []}),
    ("MSG-04", {"id": "s", "role": "system", "content": "…", "name": None, "encryptedValue": None}),
    ("MSG-04", {"id": "d", "role": "developer", "content": "…"}),
    ("MSG-05", TOOL_RESULT),
    ("MSG-05", {"id": "t", "role": "tool", "content": "", "toolCallId": "c", "error": "timeout"}),
    ("MSG-06", {"id": "r", "role": "reasoning", "content": "…"}),
    ("MSG-06", {"id": "p", "role": "activity", "activityType": "PLAN", "content": {"steps": [1, 2]}}),
]


@pytest.mark.parametrize(("requirement", "message"), ACCEPTED)
def test_a_message_in_the_shape_of_its_document_is_accepted(requirement: str, message: dict[str, Any]) -> None:
    """MSG-03 … MSG-06: beside the user's message, with its members as they were sent."""
    read = parsed(body(messages=[user("问"), message])).messages[1]
    assert written(read) == not_null(without(message, "activityType"))


def written(message: Message) -> dict[str, Any]:
    """Return a message as JSON."""
    return message.wire()


def not_null(message: dict[str, Any]) -> dict[str, Any]:
    """A message as sent, without members that are null: they say as much as members that are not there."""
    return {name: value for name, value in message.items() if value is not None}


USERS = [
    ("MSG-01", user("问", name="小明", encryptedValue="c2VjcmV0")),
    ("MSG-02", user([{"type": "text", "text": "问"}])),
    ("MSG-02", user([{"type": "text", "text": ""}, {**PICTURE, "id": "p", "filename": "a.png"}])),
]


@pytest.mark.parametrize(("requirement", "message"), USERS)
def test_a_users_message_is_text_or_blocks(requirement: str, message: dict[str, Any]) -> None:
    """MSG-01, MSG-02, RUN-01."""
    read = parsed(body(messages=[message]))
    assert written(user_message(read)) == message
    assert read.messages == [read.user_message]


def test_an_encrypted_value_is_carried_untouched() -> None:
    """MSG-07: Messages of every role and tool calls have one."""
    secret = " c2VjcmV0\n=="
    sent = [user("问"), {"id": "s", "role": "system", "content": ""}, ASSISTANT, TOOL_RESULT]
    read = parsed(body(messages=[{**message, "encryptedValue": secret} for message in sent])).messages
    assert [message.encrypted_value for message in read] == [secret] * 4
    assert written(read[2])["toolCalls"][0]["encryptedValue"] == "c2VjcmV0"


REFUSED = [
    ("MSG-01", without(user("问"), "id"), "[0].id"),
    ("MSG-01", user("问", id=""), "[0].id"),
    ("MSG-01", user("问", id=7), "[0].id"),
    ("MSG-01", without(user("问"), "content"), "[0].content"),
    ("MSG-01", user(None), "[0].content"),
    ("MSG-01", user({"type": "text", "text": "问"}), "[0].content"),
    ("MSG-01", user("问", name=7), "[0].name"),
    ("MSG-02", user(["问"]), "[0].content[0]"),
    ("MSG-02", user([{"type": "text", "text": "问"}, {"type": "image"}]), "[0].content[1]"),
    ("MSG-02", user([{"text": "问"}]), "[0].content[0]"),
    ("MSG-02", user([{"type": "text"}]), "[0].content[0].text"),
    ("MSG-02", user([{"type": "text", "text": 7}]), "[0].content[0].text"),
    ("MSG-02", user([{**PICTURE, "url": 7}]), "[0].content[0].url"),
]

OTHERS_REFUSED = [
    ("MSG-03", {"id": "a", "role": "assistant", "content": 7}, ".content"),
    ("MSG-03", {"id": "a", "role": "assistant", "content": [{"type": "text", "text": ""}]}, ".content"),
    ("MSG-03", {"id": "a", "role": "assistant", "toolCalls": {}}, ".toolCalls"),
    ("MSG-03", {"id": "a", "role": "assistant", "toolCalls": [{}]}, ".toolCalls[0].id"),
    (
        "MSG-03",
        {"id": "a", "role": "assistant", "toolCalls": [{**ASSISTANT["toolCalls"][0], "type": "tool"}]},
        ".toolCalls[0].type",
    ),
    (
        "MSG-03",
        {
            "id": "a",
            "role": "assistant",
            "toolCalls": [{"id": "c", "type": "function", "function": {"name": "n", "arguments": {}}}],
        },
        ".toolCalls[0].function.arguments",
    ),
    ("MSG-04", {"id": "s", "role": "system"}, ".content"),
    ("MSG-04", {"id": "d", "role": "developer", "content": None}, ".content"),
    ("MSG-05", without(TOOL_RESULT, "toolCallId"), ".toolCallId"),
    ("MSG-05", {**TOOL_RESULT, "content": {}}, ".content"),
    ("MSG-05", {**TOOL_RESULT, "error": 1}, ".error"),
    ("MSG-06", {"role": "activity", "content": {}}, ".id"),
    ("MSG-06", {"id": "x", "role": "narrator", "content": ""}, ""),
    ("MSG-06", {"id": "x", "role": ["system"], "content": ""}, ""),
    ("MSG-06", {"id": "x", "content": ""}, ""),
    ("MSG-06", None, ""),
]


@pytest.mark.parametrize(
    ("requirement", "messages", "where"),
    [(requirement, [message], where) for requirement, message, where in REFUSED]
    + [(requirement, [user("问"), message], f"[1]{where}") for requirement, message, where in OTHERS_REFUSED],
)
def test_a_message_out_of_shape_is_refused_by_its_place(requirement: str, messages: list[Any], where: str) -> None:
    """MSG-01 … MSG-06, ERR-09: the detail names the member, `params` says what is wrong with it."""
    problem = refusal(body(messages=messages))
    assert (problem.status, problem.code) == (422, Code.AGENT_RUN_MESSAGES_INVALID)
    assert problem.detail == f"invalid RunAgentInput.messages{where}"
    assert problem.params is not None
    assert problem.params["reason"]


def test_of_two_messages_out_of_shape_the_first_is_reported() -> None:
    """RUN-15: also when the second is wrong in a deeper place."""
    nested = {"id": "a", "role": "assistant", "toolCalls": [{"id": "c", "type": "function", "function": {}}]}
    problem = refusal(body(messages=[user("问"), {"role": "system", "content": ""}, nested]))
    assert problem.detail == "invalid RunAgentInput.messages[1].id"


@pytest.mark.parametrize(
    ("requirement", "member", "value", "where"),
    [
        ("TOOL-01", "tools", {}, ""),
        ("TOOL-01", "tools", "get_weather", ""),
        ("TOOL-01", "tools", ["get_weather"], "[0]"),
        ("TOOL-01", "tools", [without(TOOL, "name")], "[0].name"),
        ("TOOL-01", "tools", [without(TOOL, "description")], "[0].description"),
        ("TOOL-01", "tools", [without(TOOL, "parameters")], "[0].parameters"),
        ("TOOL-01", "tools", [TOOL, {**TOOL, "parameters": "{}"}], "[1].parameters"),
        ("TOOL-01", "tools", [{**TOOL, "parameters": []}], "[0].parameters"),
        ("TOOL-02", "context", {}, ""),
        ("TOOL-02", "context", [{"description": "city"}], "[0].value"),
        ("TOOL-02", "context", [{"value": "北京"}], "[0].description"),
        ("TOOL-02", "context", [{"description": "city", "value": 7}], "[0].value"),
    ],
)
def test_a_tool_or_context_entry_out_of_shape_is_refused(requirement: str, member: str, value: Any, where: str) -> None:
    """TOOL-01, TOOL-02, ERR-09."""
    problem = refusal(body(**{member: value}))
    assert (problem.status, problem.code) == (422, Code.AGENT_RUN_INPUT_INVALID)
    assert problem.detail == f"invalid RunAgentInput.{member}{where}"


def test_tools_and_context_are_read_as_they_were_sent() -> None:
    """TOOL-01, TOOL-02."""
    context = {"description": "city", "value": "北京"}
    read = parsed(body(tools=[TOOL], context=[context]))
    assert [structs.asdict(tool) for tool in read.tools] == [TOOL]
    assert [structs.asdict(entry) for entry in read.context] == [context]


def test_a_member_nobody_knows_is_left_out() -> None:
    """RUN-01: a newer client may send more; only forwardedProps is closed."""
    sent = body(resumable=True, messages=[user("问", subagentRunId="a")], tools=[{**TOOL, "metadata": {}}])
    assert parsed(sent) == parsed(body(tools=[TOOL], messages=[user("问")]))


def test_a_client_that_names_its_version_can_answer_questions() -> None:
    """ASK-01: in either spelling; without one nobody knows."""
    assert parsed(body(protocolVersion="1.0")).can_answer
    assert parsed(body(protocol_version="1.1")).can_answer
    assert not parsed(body()).can_answer
    assert not parsed(body(protocolVersion=None)).can_answer


def respelt(value: Any, spell: Any) -> Any:
    """A JSON value with the names of all members spelt another way."""
    if isinstance(value, dict):
        return {spell(name): respelt(member, spell) for name, member in value.items()}
    return [respelt(item, spell) for item in value] if isinstance(value, list) else value


def snake(name: str) -> str:
    """Convert `threadId` to `thread_id`."""
    return re.sub(r"[A-Z]", lambda capital: f"_{capital.group().lower()}", name)


def camel(name: str) -> str:
    """Convert `thread_id` to `threadId`."""
    return re.sub(r"_([a-z])", lambda letter: letter.group(1).upper(), name)


def test_snake_case_and_camel_case_say_the_same_at_every_level() -> None:
    """RUN-02: The levels are the body, messages, blocks, tool calls, forwardedProps, client_time and the payload."""
    sent = body(
        parentRunId="run-000",
        messages=[user([PICTURE], encryptedValue="c2VjcmV0"), ASSISTANT, TOOL_RESULT],
        forwardedProps=props(client_time=CLIENT_TIME, divinationPayload=CAST),
    )
    spellings = [admitted(respelt(sent, spell)) for spell in (str, snake, camel)]
    as_sent, in_snake, in_camel = spellings
    assert in_snake.parent_run_id == in_camel.parent_run_id == "run-000"
    assert in_snake.client_time == in_camel.client_time == as_sent.client_time is not None
    assert in_snake.messages == in_camel.messages == as_sent.messages
    assert in_snake.runtime_mode == in_camel.runtime_mode == "chat"
    casts = [divination_payload(spelling.extensions) for spelling in spellings]
    assert casts[0] == casts[1] == casts[2]


def test_names_are_written_in_camel_case() -> None:
    """RUN-02: whatever they were read from."""
    sent = [user([PICTURE]), ASSISTANT, TOOL_RESULT]
    read = parsed(body(messages=respelt(sent, snake))).messages
    assert [written(message) for message in read] == [not_null(message) for message in sent]
