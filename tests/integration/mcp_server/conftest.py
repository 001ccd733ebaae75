"""What tests of the MCP server share."""

from dataclasses import replace

import pytest

from tests.support.mcp_client import McpClient
from yarrow.agents import bindings


@pytest.fixture(autouse=True)
def served(monkeypatch: pytest.MonkeyPatch) -> None:
    """Serve the assistant as a tool under a description of the test's own."""
    deployed = dict(bindings.deployed())
    assistant = deployed["assistant"]
    deployed["assistant"] = replace(assistant, descriptor=replace(assistant.descriptor, mcp_tool="Asks."))
    monkeypatch.setattr(bindings, "deployed", lambda: deployed)


@pytest.fixture
def mcp() -> McpClient:
    return McpClient()
