"""A body of `POST /api/v1/agent/runs` that keeps every rule, to be changed member by member, and what becomes of it."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from tests.support.example_cast import EXAMPLE
from yarrow.agents import bindings
from yarrow.protocol.problems import Problem
from yarrow.protocol.run_input.body import RunInput, parse_run_input, read_body
from yarrow.protocol.run_input.messages import UserMessage

THREAD = "550e8400-e29b-41d4-a716-446655440000"

CAST: Mapping[str, Any] = EXAMPLE

CLIENT_TIME: Mapping[str, Any] = {
    "device_timezone": "Asia/Shanghai",
    "client_now_iso": "2026-04-03T20:30:00+08:00",
    "client_epoch_ms": 1775219400000,
}

PICTURE: Mapping[str, Any] = {
    "type": "binary",
    "mimeType": "image/png",
    "url": "https://storage.example.com/agent-inputs/user-123/image.png?signature=xxx",
}


def body(**changes: Any) -> dict[str, Any]:
    """Return the whole body, with other members."""
    return {
        "threadId": THREAD,
        "runId": "run-001",
        "state": {},
        "messages": [user("我最近换工作是否合适?")],
        "tools": [],
        "context": [],
        "forwardedProps": props(),
    } | changes


def user(content: Any, **changes: Any) -> dict[str, Any]:
    return {"id": "msg-001", "role": "user", "content": content} | changes


def props(**changes: Any) -> dict[str, Any]:
    """Return the forwardedProps of a cast, with other members."""
    return {"runtime_mode": "chat", "divinationPayload": dict(CAST)} | changes


def without(members: Mapping[str, Any], *names: str) -> dict[str, Any]:
    """Return an object without some of its members."""
    return {name: value for name, value in members.items() if name not in names}


def user_message(run_input: RunInput) -> UserMessage:
    assert run_input.user_message is not None
    return run_input.user_message


def parsed(sent: Mapping[str, Any]) -> RunInput:
    return parse_run_input(read_body(json.dumps(sent).encode()))


def admitted(sent: Mapping[str, Any], agent: str | None = None) -> RunInput:
    """Return the run input, held to its binding as well."""
    run_input = parsed(sent)
    binding = bindings.agent_for(run_input, existing=None, requested=agent, default="divination")
    bindings.check(binding, run_input)
    return run_input


def refusal(sent: Mapping[str, Any]) -> Problem:
    """The problem with which a body is refused, by the common rules or by its binding."""
    with pytest.raises(Problem) as caught:
        admitted(sent)
    return caught.value


DIVINATION = """
{
"threadId": "uuid",
"runId": "run_20260403_xxx",
"state": {},
"messages": [
{
"id": "msg_run_20260403_xxx_user_0",
"role": "user",
"content": "我最近换工作是否合适?"
}
],
"tools": [],
"context": [],
"forwardedProps": {
"runtime_mode": "chat",
"client_time": {
"device_timezone": "Asia/Shanghai",
"client_now_iso": "2026-04-03T20:30:00+08:00",
"client_epoch_ms": 1775219400000
},
"divinationPayload": {
"divinationMethod": "手动起卦",
"questionType": "事业",
"question": "我最近换工作是否合适?",
"divinationTimeIso": "2026-04-03T20:30:00+08:00",
"yaoLines": [
"少阳",
"少阴",
"老阳",
"少阴",
"少阳",
"老阴"
]
}
}
}
"""


def answer(raw: bytes, agent: str | None = None) -> int:
    """The HTTP status a body comes to; any exception but a Problem fails the test."""
    try:
        run_input = parse_run_input(read_body(raw))
        bindings.check(bindings.agent_for(run_input, existing=None, requested=agent, default="divination"), run_input)
    except Problem as problem:
        return problem.status
    return 202


WHOLE = body(
    parentRunId="run-000",
    messages=[
        user([{"type": "text", "text": "问"}, dict(PICTURE)], name="n", encryptedValue="e"),
        {
            "id": "a",
            "role": "assistant",
            "content": None,
            "toolCalls": [{"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}],
        },
        {"id": "t", "role": "tool", "content": "", "toolCallId": "c"},
    ],
    tools=[{"name": "t", "description": "", "parameters": {"type": "object"}}],
    context=[{"description": "", "value": ""}],
    forwardedProps=props(client_time=dict(CLIENT_TIME)),
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the path of every member of a JSON value."""
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [found for name, member in members for found in ((*path, name), *places(member, (*path, name)))]
