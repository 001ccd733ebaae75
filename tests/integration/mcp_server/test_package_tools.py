"""Tools of packages: listed beside the agents, and called within the request."""

from typing import Any

import pytest
from pydantic import BaseModel

from tests.support.log_lines import LogLines
from tests.support.mcp_client import LATEST, McpClient
from yarrow.mcp_server import package_tools
from yarrow.protocol.runner.mcp_tools import McpCaller, McpTool, McpToolResult

pytestmark = [pytest.mark.usefixtures("aws"), pytest.mark.memory]

ERAS = pytest.mark.parametrize("version", [LATEST, "2025-11-25", None])
PICTURE = {"type": "image", "data": "aGk=", "mimeType": "image/png"}


class Arguments(BaseModel):
    text: str = ""


def show(arguments: Arguments, caller: McpCaller) -> McpToolResult:
    return McpToolResult([{"type": "text", "text": arguments.text}, PICTURE], {"locale": caller.locale})


def refuse(_: Arguments, __: McpCaller) -> McpToolResult:
    raise ValueError("the moon is not up")


def fail(_: Arguments, __: McpCaller) -> McpToolResult:
    raise RuntimeError("SECRET in /var/task")


TOOLS = {
    name: McpTool(
        name, name.title(), f"It can {name}.", Arguments, call, {"type": "object"} if name == "show" else None
    )
    for name, call in {"show": show, "refuse": refuse, "fail": fail, "ask_assistant": show}.items()
}


@pytest.fixture
def tools(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(package_tools, "mcp_tools", lambda: TOOLS)


@ERAS
def test_the_tools_are_those_of_agents_and_packages(version: str | None) -> None:
    """MCP-02: the same in each list, in one order, and complete."""
    client = McpClient(version=version)
    listed = [client.request("tools/list").result for _ in range(2)]
    assert listed[0] == listed[1]
    names = [tool["name"] for tool in listed[0]["tools"]]
    assert names == ["ask_assistant", "cast_hexagram", "derive_hexagram", "read_hexagram"]
    for tool in listed[0]["tools"]:
        assert (tool["inputSchema"]["type"], tool["outputSchema"]["type"]) == ("object", "object")
        assert tool["description"]
        assert tool["title"]


@ERAS
def test_a_hexagram_is_cast_and_read(version: str | None) -> None:
    """MCP-02: nobody needs a session for it, and none is made."""
    client = McpClient(version=version)
    question = "Should I change my job?"
    cast = client.call("cast_hexagram", question=question).result["structuredContent"]
    found = client.call("read_hexagram", question=question, lines=cast["lines"], castAt=cast["castAt"]).result
    assert (found["isError"], found["content"][0]["text"]) == (False, found["structuredContent"]["reading"])
    assert client.request("resources/list").result["resources"] == []


@pytest.mark.usefixtures("tools")
def test_a_package_does_not_replace_an_agent(mcp: McpClient) -> None:
    """MCP-02."""
    listed = mcp.request("tools/list").result["tools"]
    assert [tool["name"] for tool in listed] == ["ask_assistant", "fail", "refuse", "show"]
    assert listed[0]["description"] == "Asks."


@pytest.mark.usefixtures("tools")
def test_a_result_is_passed_on_as_it_is(mcp: McpClient) -> None:
    """MCP-02: pictures, and what is structured."""
    result = mcp.call("show", text="Look").result
    assert result["content"] == [{"type": "text", "text": "Look"}, PICTURE]
    assert result["structuredContent"] == {"locale": "zh-CN"}


@pytest.mark.parametrize(
    ("name", "arguments", "text"),
    [
        ("refuse", {}, "the moon is not up"),
        ("fail", {}, "the tool failed"),
        ("show", {"text": 1}, "invalid text: must be a string"),
    ],
)
@pytest.mark.usefixtures("tools")
def test_a_failure_is_told_to_the_model(
    name: str, arguments: dict[str, Any], text: str, mcp: McpClient, log: LogLines
) -> None:
    """MCP-02: why a tool refused, and nothing of an exception but in the log."""
    result = mcp.call(name, **arguments).result
    assert result["isError"] is True
    assert result["content"] == [{"type": "text", "text": text}]
    assert ("an MCP tool failed" in log.text) == (name == "fail")


@pytest.mark.parametrize("name", ["", "ask_cast", "ask_divination", "assistant", "x" * 200])
def test_an_unknown_tool_is_refused(name: str, mcp: McpClient) -> None:
    """MCP-02: agents without `mcp_tool` are none."""
    assert mcp.call(name).error[:2] == (400, -32602)
    assert McpClient(version="2025-06-18").call(name).error[:2] == (200, -32602)


@pytest.mark.parametrize(
    "params", [{}, {"name": 1}, {"name": "show", "arguments": []}, {"name": "show", "arguments": None}]
)
def test_a_call_without_form_is_refused(params: dict[str, Any]) -> None:
    """MCP-02."""
    assert McpClient(version="2025-06-18").request("tools/call", params).error[:2] == (200, -32602)
