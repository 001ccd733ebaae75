"""Released clients of the Model Context Protocol at the local stack, of both eras."""

import asyncio
import json
import subprocess
import uuid
from importlib.util import find_spec
from typing import Any

import httpx
import pytest

from tests.support.mcp_packages import installed
from tests.support.paths import ROOT

CLIENT_SECONDS = 60
TOOLS = ["ask_assistant", "cast_hexagram", "derive_hexagram", "read_hexagram"]


@pytest.fixture
def token(stack: str) -> str:
    body = {"sub": f"alice-{uuid.uuid4()}", "locale": "en-US"}
    return str(httpx.post(f"{stack}/local/token", json=body).json()["token"])


@pytest.mark.parametrize(
    "client",
    [{"package": "sdk"}, {"package": "client", "mode": "legacy"}, {"package": "client", "mode": "auto"}],
    ids=lambda client: "-".join(client.values()),
)
def test_clients_in_javascript_call_an_agent_and_read_its_session(
    client: dict[str, str], stack: str, token: str
) -> None:
    """MCP-02: the SDK that most have, and its successor in both eras. None of them meets an error."""
    task = {**client, "installed": str(installed()), "url": f"{stack}/mcp", "token": token}
    command = ["node", str(ROOT / "tests/clients/mcp/call.mjs"), json.dumps(task)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=CLIENT_SECONDS)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert (found["tools"], found["errors"]) == (TOOLS, [])
    assert found["progress"] == ["router", "worker"]
    answer = found["answer"]["structuredContent"]
    assert answer["status"] == "finished"
    assert len(found["cast"]["structuredContent"]["lines"]) == 6
    (session,) = found["resources"]
    assert session["name"] == answer["threadId"]
    assert answer["answer"] in json.loads(found["read"]["contents"][0]["text"])["messages"][1]["content"]


@pytest.mark.parametrize(("mode", "version"), [("auto", "2026-07-28"), ("legacy", "2025-11-25")])
def test_a_client_in_python_calls_an_agent(mode: Any, version: str, stack: str, token: str) -> None:
    """MCP-02: and goes on with the conversation; what a tool refuses is told as its error."""
    if find_spec("mcp") is None:
        pytest.skip("needs the package mcp: make frameworks")
    import httpx2
    from mcp.client.client import Client
    from mcp.client.streamable_http import streamable_http_client

    async def converse() -> None:
        headers = {"Authorization": f"Bearer {token}"}
        async with (
            httpx2.AsyncClient(headers=headers, timeout=CLIENT_SECONDS) as http,
            Client(streamable_http_client(f"{stack}/mcp", http_client=http), mode=mode) as client,
        ):
            assert client.protocol_version == version
            assert [tool.name for tool in (await client.list_tools()).tools] == TOOLS
            first = await client.call_tool("ask_assistant", {"message": "Hello"})
            assert first.structured_content is not None
            thread = first.structured_content["threadId"]
            clock = {"message": "/call get_current_time {}", "threadId": thread}
            second = await client.call_tool("ask_assistant", clock)
            assert second.structured_content is not None
            assert "time_zone" in second.structured_content["answer"]
            assert (await client.call_tool("ask_assistant", {"message": "Hi", "threadId": "x"})).is_error
            read = await client.read_resource(f"yarrow://sessions/{thread}")
            assert len(json.loads(read.contents[0].text)["messages"]) == 4

    asyncio.run(converse())
