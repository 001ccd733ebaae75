"""A hostile client: whatever it sends, an error at most; nothing it sends reaches or harms anybody else."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.support.workspace.agent import TASK, Agent
from tests.support.workspace.documented import COMMANDS, command
from tests.support.workspace.door import ALICE, BOB, Door
from tests.support.workspace.page import Page
from yarrow.protocol.problems import Problem
from yarrow.workspace.state.state import MAX_SESSIONS

Load = Callable[..., Page]


def deep(levels: int) -> str:
    return "[" * levels + "]" * levels


def of(kind: str, payload: Any) -> str:
    return json.dumps({"type": kind, "taskName": TASK, "payload": payload}, ensure_ascii=False)


BAD: dict[str, str] = {
    "nothing": "",
    "spaces": "   ",
    "half": '{"type":"agent_init"',
    "two": '{"type":"agent_init"}{"type":"agent_init"}',
    "a list": "[1,2]",
    "a number": "1e999",
    "NaN": '{"type":"agent_init","payload":{"model":NaN}}',
    "deep": deep(50_000),
    "deep payload": '{"type":"agent_init","taskName":"求职AI助手","payload":'
    + '{"a":' * 5_000
    + "1"
    + "}" * 5_000
    + "}",
    "a type of thousands": json.dumps({"type": "x" * 100_000}),
    "type null": '{"type":null}',
    "type a list": '{"type":["agent_init"]}',
    "payload a list": of("agent_init", [1]),
    "payload a text": of("agent_init", "x"),
    "a task of thousands": json.dumps({"type": "agent_init", "taskName": "x" * 100_000}),
    "task an object": json.dumps({"type": "agent_init", "taskName": {"a": 1}}),
    "lone surrogate": '{"type":"agent_user_input","taskName":"求职AI助手","payload":{"text":"\\ud800"}}',
    "nul": '{"type":"agent_user_input","taskName":"求职AI助手","payload":{"text":"a\\u0000b"}}',
    "name twice": '{"type":"agent_init","type":"agent_session_delete","payload":{}}',
    "language a list": of("agent_init", {"language": ["en"]}),
    "language of thousands": of("agent_init", {"language": "x" * 60_000}),
    "language no language": of("agent_init", {"language": "<script>alert(1)</script>"}),
    "model an object": of("agent_init", {"model": {"a": 1}}),
    "session a number": of("agent_user_input", {"sessionId": 7, "text": "x"}),
    "session a path": of("agent_user_input", {"sessionId": "../../other", "text": "x"}),
    "session of thousands": of("agent_user_input", {"sessionId": "x" * 60_000, "text": "x"}),
    "a key's separator": of("agent_session_delete", {"sessionId": "WORKSPACE#x#ENTRY#0000000001"}),
    "attachments an object": of("agent_user_attachment", {"attachments": {"0": 1}}),
    "attachments null": of("agent_user_attachment", {"attachments": [None]}),
    "a thousand attachments": of(
        "agent_user_attachment", {"attachments": [{"name": "a", "contentBase64": "YQ=="}] * 999}
    ),
    "a file's path": of(
        "agent_user_attachment",
        {"attachments": [{"name": "../../../etc/passwd", "mimeType": "x", "size": 1, "contentBase64": "YQ=="}]},
    ),
    "base64 with lines": of(
        "agent_user_attachment", {"attachments": [{"name": "a", "size": 1, "contentBase64": "Y\nQ=="}]}
    ),
    "context too deep": of("agent_session_context_update", {"runtimeContext": {"a": json.loads(deep(400))}}),
    "context too large": of("agent_session_context_update", {"runtimeContext": {"a": "x" * 60_000}}),
    "context a list": of("agent_session_context_update", {"runtimeContext": [1]}),
    "prototype": of("agent_user_option", {"questionId": "__proto__", "optionId": "constructor"}),
    "huge number": of("agent_user_answer", {"questionId": "q_salary", "answer": 10**400}),
    "infinite": of("agent_user_answer", {"questionId": "q_salary", "answer": "9" * 1_900}),
    "action an object": of("agent_execution_control", {"action": {"toString": "pause"}}),
    "server's frame": of("agent_state_snapshot", {"sessions": []}),
    "forged trigger": of("agent_user_input", {"text": "x", "trigger": {"type": "workspace.init", "source": "webui"}}),
}


def secret_of(page: Page) -> str:
    return "the secret of " + page.tag


@pytest.mark.parametrize("name", BAD)
def test_a_bad_frame_is_an_error_at_most(door: Door, load: Load, name: str) -> None:
    """WSP-31, WSP-35, SEC-04: no exception, which would be API Gateway's own error; and the connection goes on."""
    victim, attacker = load("renderer-1", ALICE), load("renderer-2", BOB)
    victim.say(secret_of(victim))
    door.settle()
    seen = len(victim.frames)
    frames = door.send(attacker, BAD[name])
    for frame in frames:
        assert len(json.dumps(frame)) < 20_000
    for error in (frame for frame in frames if frame["type"] == "agent_error"):
        assert error["data"]["message"].isprintable()
        assert len(error["data"]["message"]) < 500
    assert len(victim.frames) == seen
    attacker.say("still here")
    door.settle()
    assert "found still here" in [message["content"] for message in attacker.messages()]
    assert secret_of(victim) not in json.dumps(attacker.frames)


def test_there_are_thirty_kinds_of_bad_frames() -> None:
    """SEC-04."""
    assert len(BAD) >= 30


@pytest.mark.parametrize("kind", COMMANDS)
def test_members_of_any_type_are_no_exception(door: Door, load: Load, kind: str) -> None:
    """WSP-31: each member of each documented payload, as null, number, text, list and object."""
    page = load()
    for member in [*COMMANDS[kind]["payload"], "language", "model", "apiKeyConfigured"]:
        for value in (None, 7, "x", [None], {"a": None}):
            door.line_of(page).inbox.append(command(kind, page.state.active, **{member: value}))
    door.settle()
    assert not page.white
    door.send(page, of("agent_session_create", {"name": "After"}))
    assert "After" in [session["name"] for session in page.state.sessions]


def test_a_flood_is_refused_and_over_when_it_is_over(door: Door, load: Load, agent: Agent) -> None:
    """WSP-31: one user's flood costs a bounded number of runs, and another user nothing: its texts join."""
    flood, other = load("renderer-1", ALICE), load("renderer-2", BOB)
    line = door.line_of(flood)
    requested = len(agent.contexts)
    for number in range(300):
        door.receive(line, command("agent_user_input", flood.state.active, text=str(number)))
    refused = [frame["data"]["code"] for frame in flood.frames if frame["type"] == "agent_error"]
    assert set(refused) <= {"too_many_waiting", "rate_limited"}
    other.say("hello")
    door.settle()
    assert other.messages()[-1]["content"] == "found hello"
    assert len(agent.contexts) - requested <= 12
    door.clock.pass_seconds(120)
    flood.say("after")
    door.settle()
    assert flood.messages()[-1]["content"] == "found after"


def test_many_sessions_are_refused(door: Door, load: Load) -> None:
    """WSP-05, WSP-37: a workspace is bounded, and so is its snapshot."""
    page = load()
    for number in range(MAX_SESSIONS + 5):
        door.send(page, of("agent_session_create", {"name": f"{number} " + "x" * 100}))
    fresh = door.fresh()
    (line,) = [line for line in door.lines.values() if line.page is fresh]
    assert all(len(frame) <= 128 * 1024 for frame in line.got)
    assert len(fresh.state.sessions) == MAX_SESSIONS


def test_many_connections_of_one_user_are_bounded(door: Door, load: Load) -> None:
    """SEC-04: and those that are there go on."""
    page = load()
    refused = 0
    for number in range(60):
        try:
            door.connect(Page(TASK, f"renderer-{number + 2}"), task=TASK)
        except Problem:
            refused += 1
    door.settle()
    page.say("hello")
    door.settle()
    assert page.messages()[-1]["content"] == "found hello"
    assert refused > 0 or len([line for line in door.lines.values() if line.open]) == 61
