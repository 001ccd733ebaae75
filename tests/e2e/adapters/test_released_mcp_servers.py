"""MCP-01: results of servers that others have written, at the local stack: pictures, promised content, progress.

The everything server is the reference server of the protocol's authors; that of the package `mcp` speaks the newest
revision.
"""

import json
import os
import socket
import subprocess
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.e2e.adapters.counted_runs import watched
from tests.support.functions.emulated_aws import served
from tests.support.mcp_packages import installed
from tests.support.small_pictures import png
from tests.support.stack.app import App
from tests.support.stack.process import running
from tests.support.stack.runs import submit

START_SECONDS = 60
TOOLS = "[get-tiny-image, get-structured-content, trigger-long-running-operation]"
AGENT = """
  {name}:
    runner: plugin:yarrow/assistant/default
    input: assistant
    modes: {{ chat: {{}} }}
    resources: {{ models: [chat] }}
    config: {{ model: chat }}
    mcp: {{ {name}: {{ url: "{url}", tools: {tools} }} }}
"""


@contextmanager
def everything() -> Iterator[str]:
    """The address of the everything server."""
    script = installed() / "node_modules/@modelcontextprotocol/server-everything/dist/index.js"
    if not script.exists():
        pytest.skip("server-everything is not installed: make mcp-clients")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    server = subprocess.Popen(
        ["node", str(script), "streamableHttp"],
        env={**os.environ, "PORT": str(port)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        until = time.monotonic() + START_SECONDS
        while True:
            try:
                httpx.get(f"http://127.0.0.1:{port}/mcp", timeout=5)
                break
            except httpx.TransportError:
                assert server.poll() is None
                assert time.monotonic() < until
                time.sleep(0.1)
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        server.terminate()
        server.wait(10)


@contextmanager
def of_python() -> Iterator[str]:
    """The address of a server of the package `mcp`."""
    mcp = pytest.importorskip("mcp.server", reason="mcp is not installed: make frameworks")
    from pydantic import BaseModel

    class Weather(BaseModel):
        celsius: float
        words: str

    server = mcp.MCPServer("python")

    def photo() -> Any:
        """Take a photo."""
        return ["Here it is:", mcp.mcpserver.Image(data=png(3, 3), format="png")]

    def weather() -> Weather:
        """Tell the weather."""
        return Weather(celsius=24, words="warm")

    async def slow(context: Any) -> str:
        """Take some steps."""
        for step in (1, 2, 3):
            await context.report_progress(step, 3, f"step {step}")
        return "done"

    slow.__annotations__["context"] = mcp.mcpserver.Context  # by which the server knows what to pass
    for function in (photo, weather, slow):
        server.tool()(function)
    with socket.create_server(("127.0.0.1", 0)) as listener, served(server.streamable_http_app(), listener):
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/mcp"


@contextmanager
def user_of(name: str, url: str, tools: str, folder: Path) -> Iterator[App]:
    file = folder / "agents.yaml"
    file.write_text("agents:" + AGENT.format(name=name, url=url, tools=tools), encoding="utf-8")
    with running(environment={"SYSTEM_AGENTS": str(file), "DEFAULT_AGENT": name}) as stack:
        user = App(stack, "alice")
        yield user
        user.http.close()


def called(user: App, name: str, tool: str, **arguments: Any) -> list[dict[str, Any]]:
    thread = str(uuid.uuid4())
    submit(user, name, thread, "run-1", f"/call {name}_{tool} {json.dumps(arguments)}")
    return watched(user, thread, "run-1")


def result(events: list[dict[str, Any]]) -> dict[str, Any]:
    (one,) = (event for event in events if event["type"] == "TOOL_CALL_RESULT")
    return one


def progress(events: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    shown = (event["content"] for event in events if event["type"] == "ACTIVITY_SNAPSHOT")
    return [(content["progress"], content["total"], content["status"]) for content in shown]


def said(events: list[dict[str, Any]]) -> str:
    return "".join(event["delta"] for event in events if event["type"] == "TEXT_MESSAGE_CONTENT")


def test_the_everything_server(tmp_path: Path) -> None:
    with everything() as url, user_of("all", url, TOOLS, tmp_path) as user:
        picture = called(user, "all", "get-tiny-image")
        text, image = result(picture)["parts"]
        assert text["text"].splitlines()[1] == "(image 1)"
        assert (image["type"], image["source"]["mimeType"]) == ("image", "image/png")
        assert "Pictures in the conversation: 1." in said(picture)

        weather = result(called(user, "all", "get-structured-content", location="Chicago"))
        assert json.loads(weather["content"])["conditions"] == "Light rain / drizzle"

        slow = called(user, "all", "trigger-long-running-operation", duration=4, steps=4)
        assert "completed" in result(slow)["content"]
        assert progress(slow)[0] == (1, 4, "running")
        assert progress(slow)[-1][2] == "completed"
        assert len(progress(slow)) >= 3


def test_a_server_of_the_package_mcp(tmp_path: Path) -> None:
    with of_python() as url, user_of("py", url, "[photo, weather, slow]", tmp_path) as user:
        picture = called(user, "py", "photo")
        text, image = result(picture)["parts"]
        assert text["text"] == "Here it is:\n(image 1)"
        assert image["source"]["mimeType"] == "image/png"
        assert "Pictures in the conversation: 1." in said(picture)
        assert json.loads(result(called(user, "py", "weather"))["content"]) == {"celsius": 24, "words": "warm"}
        slow = called(user, "py", "slow")
        assert result(slow)["content"] in ("done", '{"result":"done"}')
        assert progress(slow) == [(1, 3, "running"), (3, 3, "completed")]
