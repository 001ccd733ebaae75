"""Questions of agents in calls that are sent again with the answer."""

from dataclasses import replace
from typing import Any

import pytest

from tests.support.functions.payloads import Case
from tests.support.mcp_client import McpClient, Reply
from tests.support.runners.asking import Asker, confirm
from tests.support.runners.scripted import install
from yarrow.store import runs

pytestmark = [pytest.mark.usefixtures("aws"), pytest.mark.memory]


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> McpClient:
    install(monkeypatch, lambda: Asker(confirm))
    return McpClient(capabilities={"elicitation": {}})


def again(client: McpClient, first: dict[str, Any], responses: Any) -> Reply:
    """Send a call again with the responses to what its first result asks."""
    call = {"name": "ask_assistant", "arguments": {"message": "Hi"}}
    return client.request("tools/call", {**call, "inputResponses": responses, "requestState": first["requestState"]})


def accepted(first: dict[str, Any], **content: Any) -> dict[str, Any]:
    return {name: {"action": "accept", "content": content} for name in first["inputRequests"]}


def test_a_question_is_asked_and_the_call_goes_on_with_its_answer(client: McpClient) -> None:
    """MCP-02, ASK-01: nothing is held meanwhile."""
    first = client.call("ask_assistant", message="Hi").result
    assert first["resultType"] == "input_required"
    (asked,) = first["inputRequests"].values()
    assert (asked["method"], asked["params"]["message"]) == ("elicitation/create", "Shall I?")
    assert client.active_runs() == []
    done = again(client, first, accepted(first, approved=True)).result
    assert (done["resultType"], done["structuredContent"]["status"]) == ("complete", "finished")
    assert "answered" in done["structuredContent"]["answer"]
    asking, answering = runs.must_read(first["requestState"]), done["structuredContent"]["runId"]
    assert answering != asking.run_id
    assert again(client, first, accepted(first, approved=True)).result["structuredContent"]["runId"] == answering


@pytest.mark.parametrize(("action", "said"), [("decline", "refused"), ("cancel", "cancelled")])
def test_a_question_may_be_declined(action: str, said: str, client: McpClient) -> None:
    """MCP-02, ASK-01."""
    first = client.call("ask_assistant", message="Hi").result
    responses = {name: {"action": action} for name in first["inputRequests"]}
    assert said in again(client, first, responses).result["structuredContent"]["answer"]


def test_what_is_missing_is_asked_again(client: McpClient) -> None:
    """MCP-02: also if something else was answered."""
    first = client.call("ask_assistant", message="Hi").result
    for responses in ({}, {"other": {"action": "accept", "content": {}}}):
        assert again(client, first, responses).result["inputRequests"] == first["inputRequests"]


def test_a_second_answer_does_not_count(client: McpClient) -> None:
    """MCP-02, ASK-04."""
    first = client.call("ask_assistant", message="Hi").result
    again(client, first, accepted(first, approved=True))
    result = again(client, first, accepted(first, approved=False)).result
    assert (result["isError"], "AGENT_INTERRUPT_ANSWERED" in result["content"][0]["text"]) == (True, True)


@pytest.mark.parametrize("state", [None, 1, "", "x", "550e8400-e29b-41d4-a716-446655440001", {"run": 1}])
def test_a_state_that_is_not_the_callers_is_refused(state: Any, client: McpClient) -> None:
    """MCP-02, SEC-03: it comes back from the client, which may say anything."""
    first = client.call("ask_assistant", message="Hi").result
    assert again(client, {"requestState": state}, {}).error == (400, -32602, "unknown requestState")
    mallory = replace(client, case=Case(user="mallory"))
    assert again(mallory, first, accepted(first, approved=True)).error == (400, -32602, "unknown requestState")


def test_who_shows_no_forms_is_told_the_question(client: McpClient) -> None:
    """MCP-02: and clients of older revisions."""
    for other in (replace(client, capabilities={}), replace(client, version="2025-11-25")):
        result = other.call("ask_assistant", message="Hi").result
        assert result["structuredContent"]["status"] == "interrupted"
        assert "Shall I?" in result["content"][0]["text"]
