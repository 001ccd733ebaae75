"""Sessions and runs of a user as resources."""

import json
from dataclasses import replace
from typing import Any
from urllib.parse import quote

import pytest

from tests.support.functions.payloads import Case
from tests.support.mcp_client import McpClient
from tests.support.runners.scripted import DONE, Use, completed
from yarrow.runs import delete_session
from yarrow.runs.get_history import DEFAULT_SESSIONS
from yarrow.settings import settings

pytestmark = [pytest.mark.usefixtures("aws"), pytest.mark.memory]


def answered(client: McpClient, message: str = "Hi") -> dict[str, Any]:
    found: dict[str, Any] = client.call("ask_assistant", message=message).result["structuredContent"]
    return found


def contents(client: McpClient, uri: str) -> Any:
    (content,) = client.request("resources/read", {"uri": uri}).result["contents"]
    assert (content["uri"], content["mimeType"]) == (uri, "application/json")
    return json.loads(content["text"])


def test_sessions_are_listed_last_active_first_and_read(mcp: McpClient, use: Use) -> None:
    """MCP-02, HIS-01, HIS-02."""
    use(completed("An answer\nof two lines."), DONE)
    first, second = answered(mcp, "1"), answered(mcp, "2")
    listed = mcp.request("resources/list").result
    assert [resource["name"] for resource in listed["resources"]] == [second["threadId"], first["threadId"]]
    assert listed["resources"][0]["title"] == "An answer of two lines."
    assert (listed["ttlMs"], listed["cacheScope"]) == (0, "private")
    session = contents(mcp, listed["resources"][0]["uri"])
    assert [message["content"] for message in session["messages"]] == ["2", "An answer\nof two lines."]


def test_a_run_is_read_with_its_answer(mcp: McpClient, use: Use) -> None:
    """MCP-02."""
    use(completed("Hello."), DONE)
    found = answered(mcp)
    uri = f"yarrow://sessions/{found['threadId']}/runs/{quote(found['runId'])}"
    run = contents(mcp, uri)
    assert (run["agent"], run["phase"], run["status"], run["answer"]) == ("assistant", "finished", "finished", "Hello.")


def test_a_run_that_is_active_is_read_as_far_as_it_is(use: Use) -> None:
    """MCP-02."""
    use(completed("Late."), DONE)
    client = McpClient(time_left=15_050)
    found = client.call("ask_assistant", lambda: None, message="Hi").result["structuredContent"]
    run = contents(client, f"yarrow://sessions/{found['threadId']}/runs/{found['runId']}")
    assert (run["phase"], run["status"], run["answer"]) == ("queued", "running", "")


def test_many_sessions_are_pages(mcp: McpClient, use: Use, monkeypatch: pytest.MonkeyPatch) -> None:
    """MCP-02, HIS-03."""
    use(completed("Hello."), DONE)
    monkeypatch.setitem(settings.__dict__, "runs_per_user", 100)
    monkeypatch.setitem(settings.__dict__, "runs_per_minute", 0)
    threads = [answered(mcp)["threadId"] for _ in range(DEFAULT_SESSIONS + 2)]
    first = mcp.request("resources/list").result
    rest = mcp.request("resources/list", {"cursor": first["nextCursor"]}).result
    names = [resource["name"] for page in (first, rest) for resource in page["resources"]]
    assert (sorted(names), "nextCursor" in rest) == (sorted(threads), False)


@pytest.mark.parametrize("cursor", ["x", 1, "550e8400-e29b-41d4-a716-446655440001"])
def test_a_bad_cursor_is_refused(cursor: Any, mcp: McpClient) -> None:
    """MCP-02."""
    assert mcp.request("resources/list", {"cursor": cursor}).error[:2] == (400, -32602)


@pytest.mark.parametrize(
    ("version", "code", "status"), [("2026-07-28", -32602, 400), ("2025-11-25", -32002, 200), (None, -32002, 200)]
)
@pytest.mark.parametrize(
    "uri",
    [
        "file:///etc/passwd",
        "yarrow://sessions/",
        "yarrow://sessions/x",
        "yarrow://sessions/../runs/1",
        "yarrow://sessions/550e8400-e29b-41d4-a716-446655440001",
        "yarrow://sessions/550e8400-e29b-41d4-a716-446655440001/runs/run-1",
        "yarrow://sessions/550e8400-e29b-41d4-a716-446655440001?x=1",
        "yarrow://sessions/%00",
    ],
)
def test_what_is_none_is_not_found(uri: str, version: str | None, code: int, status: int) -> None:
    """MCP-02."""
    assert McpClient(version=version).request("resources/read", {"uri": uri}).error == (
        status,
        code,
        "resource not found",
    )


def test_nobody_reads_or_sees_what_is_not_theirs(mcp: McpClient, use: Use) -> None:
    """MCP-02, SEC-03: nor what was deleted."""
    use(completed("Secret."), DONE)
    found = answered(mcp)
    mallory = replace(mcp, case=Case(user="mallory"))
    uris = [f"yarrow://sessions/{found['threadId']}", f"yarrow://sessions/{found['threadId']}/runs/{found['runId']}"]
    for uri in uris:
        assert mallory.request("resources/read", {"uri": uri}).error == (400, -32602, "resource not found")
    assert mallory.request("resources/list").result["resources"] == []
    delete_session.delete_session(mcp.case.user, found["threadId"])
    for uri in uris:
        assert mcp.request("resources/read", {"uri": uri}).error == (400, -32602, "resource not found")


def test_reads_count_as_those_of_the_history(mcp: McpClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """MCP-02, CMP-12."""
    monkeypatch.setitem(settings.__dict__, "requests_per_minute", 2)
    replies = [mcp.request("resources/list") for _ in range(6)]
    assert replies[-1].problem == (429, "AGENT_RATE_LIMIT")


def test_templates_say_what_can_be_read(mcp: McpClient) -> None:
    """MCP-02."""
    listed = mcp.request("resources/templates/list").result["resourceTemplates"]
    assert [template["uriTemplate"].rpartition("/")[2] for template in listed] == ["{threadId}", "{runId}"]
