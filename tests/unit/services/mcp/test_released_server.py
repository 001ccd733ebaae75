"""The server of the released package `mcp`, with and without sessions and streams (MCP-01)."""

import asyncio
import socket
from typing import Any

import pytest

from tests.support.functions.emulated_aws import served
from yarrow.services.mcp import client
from yarrow.services.mcp.client import McpClient
from yarrow.services.mcp.results import result_of
from yarrow.services.mcp.wire import Server

released = pytest.importorskip("mcp.server", reason="mcp is not installed: make frameworks")
pytestmark = pytest.mark.enable_socket


def released_server() -> Any:
    server = released.MCPServer("released")

    def add(a: int, b: int) -> int:
        """Add two numbers."""
        return a + b

    def fail() -> str:
        """Fail."""
        raise ValueError("it is broken")

    server.tool()(add)
    server.tool()(fail)
    return server


@pytest.mark.parametrize(
    "options", [{}, {"stateless_http": True, "json_response": True}], ids=["sessions and streams", "neither"]
)
def test_its_tools_are_listed_and_called(options: dict[str, Any]) -> None:
    client._modern.clear()
    app = released_server().streamable_http_app(**options)
    with socket.create_server(("127.0.0.1", 0)) as listener, served(app, listener):
        url = f"http://127.0.0.1:{listener.getsockname()[1]}/mcp"
        asked = McpClient(Server(url, {}, private=False, seconds=20))
        tools = {tool.name: tool for tool in asyncio.run(asked.list_tools())}
        assert tools["add"].description == "Add two numbers."
        assert set(tools["add"].parameters["properties"]) == {"a", "b"}
        assert result_of(asyncio.run(asked.call_tool("add", {"a": 1, "b": 2}, tools["add"].parameters))) == {
            "result": 3
        }
        assert "error" in result_of(asyncio.run(asked.call_tool("fail", {}, tools["fail"].parameters)))
