"""Agents as tools of the MCP server: from a call to its run and back, in both eras."""

import json
from dataclasses import replace
from typing import Any

import pytest

from tests.support.functions.payloads import Case
from tests.support.journals import stored
from tests.support.mcp_client import LATEST, McpClient
from tests.support.runners.asking import Asker, confirm
from tests.support.runners.scripted import DONE, Use, completed, delta, install
from yarrow.mcp_server.agent_tools import IDEMPOTENCY_KEY
from yarrow.protocol.problems import Code, Problem
from yarrow.settings import settings
from yarrow.store import runs, sessions, table
from yarrow.store.limits import stream_slots
from yarrow.web.streams import event_stream

pytestmark = [pytest.mark.usefixtures("aws"), pytest.mark.memory]

ERAS = pytest.mark.parametrize("version", [LATEST, "2025-11-25", "2024-11-05", None])


def answer_of(result: dict[str, Any]) -> dict[str, Any]:
    assert result["isError"] is False
    found: dict[str, Any] = result["structuredContent"]
    return found


def open_slots(client: McpClient) -> int:
    item = table.get(stream_slots.key(client.case.user))
    return 0 if item is None else len(item["slots"])


@ERAS
def test_a_call_runs_the_agent_and_returns_its_answer(version: str | None, use: Use) -> None:
    """MCP-02: as a run of the caller, in a session of theirs."""
    client = McpClient(version=version)
    runner = use(delta("Hello, "), delta("Alice."), DONE)
    reply = client.call("ask_assistant", message="Hi")
    found = answer_of(reply.result)
    assert (reply.status, found["status"], found["answer"]) == (200, "finished", "Hello, Alice.")
    assert reply.result["content"][0] == {"type": "text", "text": "Hello, Alice."}
    assert json.loads(reply.result["content"][1]["text"]) == {"threadId": found["threadId"], "runId": found["runId"]}
    assert reply.result.get("resultType") == ("complete" if version == LATEST else None)
    assert [message.content for message in sessions.messages(found["threadId"])] == ["Hi", "Hello, Alice."]
    assert runner.contexts[0].input.text == "Hi"
    assert sessions.must_read(found["threadId"]).user_id == client.case.user
    assert open_slots(client) == 0


def test_a_conversation_goes_on_by_its_thread(mcp: McpClient, use: Use) -> None:
    """MCP-02."""
    use(completed("One."), DONE)
    first = answer_of(mcp.call("ask_assistant", message="1").result)
    second = answer_of(mcp.call("ask_assistant", message="2", threadId=first["threadId"]).result)
    assert second["threadId"] == first["threadId"]
    assert sessions.must_read(first["threadId"]).run_count == 2


def test_structured_output_is_in_the_answer_and_hints_are_not(mcp: McpClient, use: Use) -> None:
    """MCP-02, UIS-04."""
    use(completed("Yes.", grade="good", ui_hints={"cards": []}), DONE)
    assert answer_of(mcp.call("ask_assistant", message="Hi").result)["output"] == {"grade": "good"}


def test_progress_is_told_to_who_asks(mcp: McpClient, use: Use) -> None:
    """MCP-02: stages and tools, counted up."""
    use(("tool.call.started", {"tool_call_id": "c", "tool_name": "look_up", "parameters": {}}), completed("A."), DONE)
    messages = mcp.call("ask_assistant", meta={"progressToken": "p"}, message="Hi").messages
    told = [message["params"] for message in messages if message.get("method") == "notifications/progress"]
    assert {params["progressToken"] for params in told} == {"p"}
    assert [params["progress"] for params in told] == list(range(1, len(told) + 1))
    assert "look_up" in [params["message"] for params in told]
    assert "result" in messages[-1]
    assert len(mcp.call("ask_assistant", message="Hi").messages) == 1


def test_a_failed_run_is_an_error_that_the_model_sees(mcp: McpClient, use: Use) -> None:
    """MCP-02: with its public message, and none of the exception."""
    use(delta("Let me"), RuntimeError("SECRET in /var/task"))
    result = mcp.call("ask_assistant", message="Hi").result
    assert result["isError"] is True
    assert "SECRET" not in json.dumps(result)


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({}, "AGENT_RUN_MESSAGES_INVALID"),
        ({"message": ""}, "AGENT_RUN_MESSAGES_INVALID"),
        ({"message": " "}, "AGENT_RUN_MESSAGES_INVALID"),
        ({"message": 1}, "AGENT_RUN_MESSAGES_INVALID"),
        ({"message": "x" * 10_001}, "AGENT_RUN_MESSAGES_INVALID"),
        ({"message": "Hi", "agent": "cast"}, "AGENT_RUN_INPUT_INVALID"),
        ({"message": "Hi", "threadId": "thread-1"}, "AGENT_SESSION_ID_INVALID"),
        ({"message": "Hi", "threadId": "550e8400-e29b-41d4-a716-446655440001"}, "AGENT_SESSION_NOT_FOUND"),
    ],
)
def test_bad_arguments_are_an_error_that_the_model_sees(mcp: McpClient, arguments: dict[str, Any], code: str) -> None:
    """MCP-02: nothing is stored."""
    result = mcp.call("ask_assistant", **arguments).result
    assert result["isError"] is True
    assert code in result["content"][0]["text"]
    assert mcp.active_runs() == []


def test_nobody_goes_on_with_a_conversation_of_somebody_else(mcp: McpClient, use: Use) -> None:
    """MCP-02, SEC-03."""
    use(completed("One."), DONE)
    thread = answer_of(mcp.call("ask_assistant", message="1").result)["threadId"]
    result = McpClient(case=Case(user="mallory")).call("ask_assistant", message="2", threadId=thread).result
    assert result["isError"] is True
    assert "AGENT_FORBIDDEN" in result["content"][0]["text"]
    assert sessions.must_read(thread).run_count == 1


def test_the_same_call_twice_is_one_run(mcp: McpClient, use: Use) -> None:
    """MCP-02: a client that lost the answer sends it again with the same key."""
    runner = use(completed("Once."), DONE)
    meta = {IDEMPOTENCY_KEY: "call-1"}
    first, second = (answer_of(mcp.call("ask_assistant", meta=meta, message="Hi").result) for _ in range(2))
    assert first == second
    assert len(runner.contexts) == 1
    other = mcp.call("ask_assistant", meta=meta, message="Something else").result
    assert "AGENT_RUN_CONFLICT" in other["content"][0]["text"]
    refused = mcp.call("ask_assistant", meta={IDEMPOTENCY_KEY: 1}, message="Hi").result
    assert IDEMPOTENCY_KEY in refused["content"][0]["text"]


def test_a_question_is_told_and_a_further_message_drops_it(mcp: McpClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """MCP-02, ASK-07."""
    install(monkeypatch, lambda: Asker(confirm))
    found = answer_of(mcp.call("ask_assistant", message="Hi").result)
    assert found["status"] == "interrupted"
    (question,) = found["questions"]
    assert question["message"]
    assert sessions.must_read(found["threadId"]).open_questions
    further = mcp.call("ask_assistant", message="No", threadId=found["threadId"])
    assert answer_of(further.result)["threadId"] == found["threadId"]
    assert [line.id for line in sessions.must_read(found["threadId"]).open_questions] != [question["id"]]


def test_the_limits_of_runs_hold(mcp: McpClient, use: Use, monkeypatch: pytest.MonkeyPatch) -> None:
    """MCP-02, RUN-24: what is too much is told to the model."""
    use(completed("One."), DONE)
    monkeypatch.setitem(settings.__dict__, "runs_per_user", 1)
    left(replace(mcp, version="2025-11-25"))
    result = mcp.call("ask_assistant", message="2").result
    assert (result["isError"], "AGENT_RUN_LIMIT" in result["content"][0]["text"]) == (True, True)
    assert len(mcp.active_runs()) == 1


def test_a_client_that_leaves_cancels_its_call(mcp: McpClient, use: Use) -> None:
    """MCP-02: closing the stream of a request of the newest revision is its cancellation."""
    use(completed("Never told."), DONE)
    (run,) = left(mcp)
    assert (run.phase, stored(run.key)[-1]["code"]) == ("canceled", "RUN_CANCELED")
    assert open_slots(mcp) == 0


def test_a_client_of_an_older_revision_that_leaves_cancels_nothing(use: Use) -> None:
    """MCP-02: there, a connection may break at any time."""
    use(completed("Never told."), DONE)
    client = McpClient(version="2025-11-25")
    (run,) = left(client)
    assert run.phase == "queued"
    assert open_slots(client) == 0


def left(client: McpClient) -> list[runs.Run]:
    """The runs of a client that leaves as soon as its response has begun."""
    keys: list[str] = []

    class GoneError(Exception):
        pass

    def leave() -> None:
        keys.extend(client.active_runs())
        raise GoneError

    with pytest.raises(GoneError):
        client.call("ask_assistant", leave, message="Hi")
    return [runs.must_read(key) for key in keys]


def test_a_call_that_takes_longer_than_the_platform_allows_is_told_where_it_goes_on(
    use: Use, monkeypatch: pytest.MonkeyPatch
) -> None:
    """MCP-02: it is neither an error nor cancelled."""
    use(completed("Late."), DONE)
    client = McpClient(time_left=event_stream.MARGIN_SECONDS * 1000 + 50)
    found = answer_of(client.call("ask_assistant", lambda: None, message="Hi").result)
    assert (found["status"], found["answer"]) == ("running", "")
    (key,) = client.active_runs()
    assert runs.must_read(key).phase == "queued"


def test_a_service_that_fails_is_no_answer(mcp: McpClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """MCP-02, ERR-12: HTTP says so, and the client may send the call again."""

    def fail(*_: object) -> None:
        raise Problem(Code.SERVICE_UNAVAILABLE, "the session is busy")

    monkeypatch.setattr("yarrow.mcp_server.agent_tools.submit", fail)
    assert mcp.call("ask_assistant", message="Hi").problem == (503, "SERVICE_UNAVAILABLE")
    assert open_slots(mcp) == 0
