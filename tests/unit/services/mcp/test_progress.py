"""The progress of calls: what viewers get of what servers tell (MCP-01)."""

import asyncio
import json
import time
from collections.abc import Callable
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from tests.support.mcp_servers import McpServerFake, error, listening
from yarrow.agents.grants import GrantedMcpTool
from yarrow.protocol.runner.api import AgentAPIException
from yarrow.protocol.runner.tools import TimeZones, ToolContext
from yarrow.services.mcp import client
from yarrow.services.mcp.progress import MAX_MESSAGE, CallProgress, Progress
from yarrow.services.mcp.tools import RunTools
from yarrow.services.mcp.wire import Server
from yarrow.services.tools.builtin import TOOLS

pytestmark = pytest.mark.enable_socket
CONTEXT = ToolContext("alice", "thread", "run", TimeZones(), key="the-key")


@pytest.fixture(autouse=True)
def forgotten() -> None:
    client._modern.clear()


class Shown:
    """Keeps what is told."""

    def __init__(self) -> None:
        self.told: list[tuple[str | None, Progress]] = []

    async def tell(self, key: str | None, progress: Progress) -> None:
        self.told.append((key, progress))

    @property
    def steps(self) -> list[float]:
        return [progress.progress for _, progress in self.told]


def called(server: McpServerFake, name: str = "add", seconds: float = 20) -> tuple[Any, Shown]:
    shown = Shown()
    granted = {f"calc_{name}": GrantedMcpTool(server="calc", name=name, description="", parameters={"type": "object"})}
    with listening(server) as url:
        servers = {"calc": Server(url, {}, private=False, seconds=seconds)}
        tools = RunTools(TOOLS, granted, servers, tell=shown.tell)
        try:
            answer: Any = asyncio.run(tools.answer(f"calc_{name}", {"a": 1, "b": 2}, CONTEXT)).result
        except AgentAPIException as failed:
            answer = failed.error.message
    return answer, shown


@pytest.mark.parametrize("legacy", [False, True], ids=["2026-07-28", "2025-06-18"])
def test_progress_is_shown_and_then_that_the_call_is_done(*, legacy: bool) -> None:
    """That of another request is not this call's."""
    answer, shown = called(McpServerFake(legacy=legacy, streams=True))
    assert answer == {"sum": 3}
    running = Progress("calc", "calc_add", 1, 2, "Half of it")
    assert shown.told == [
        ("the-key", running),
        ("the-key", Progress("calc", "calc_add", 1, 2, "Half of it", "completed")),
    ]


def test_a_call_that_fails_is_shown_as_failed() -> None:
    _, shown = called(McpServerFake(streams=True), "fail")
    assert [progress.status for _, progress in shown.told] == ["running", "failed"]


def test_a_server_that_tells_nothing_shows_nothing() -> None:
    assert called(McpServerFake())[1].told == []


def telling(notes: Callable[[Any], Any]) -> McpServerFake:
    """A server that streams these notifications for the token of a call, and never answers it."""
    server = McpServerFake()

    async def reply(message: dict[str, Any], request: Request) -> Response:
        if message["method"] != "tools/call":
            return server._modern(message, request)
        return StreamingResponse(notes(message["params"]["_meta"]["progressToken"]), media_type="text/event-stream")

    server.reply = reply
    return server


def note(**params: Any) -> str:
    return f"data: {json.dumps({'jsonrpc': '2.0', 'method': 'notifications/progress', 'params': params})}\n\n"


def test_a_thousand_notifications_a_second_are_a_few_events_and_no_more_time() -> None:
    """Viewers get one a second, and the call ends when its time is over."""
    sent = 0

    async def flood(token: str) -> Any:
        nonlocal sent
        while True:
            for _ in range(100):
                sent += 1
                yield note(progressToken=token, progress=sent, message="x" * 1_000)
            await asyncio.sleep(0.05)

    began = time.monotonic()
    answer, shown = called(telling(flood), seconds=3)
    assert answer in ("calc: the server took too long", "calc: the server's answer exceeds 16777216 bytes")
    assert time.monotonic() - began < 20
    assert sent > 500
    assert 2 <= len(shown.told) <= 5
    assert shown.told[-1][1].status == "failed"
    assert all(len(progress.message or "") == MAX_MESSAGE for _, progress in shown.told)


class TestWhatCounts:
    """One call by a clock of its own."""

    def told(self, *notes: dict[str, Any], every: float = 1.0) -> Shown:
        shown, now = Shown(), [0.0]

        async def take() -> None:
            call = CallProgress("calc", "calc_add", None, shown.tell, clock=lambda: now[0])
            for one in notes:
                await call.take(one)
                now[0] += every

        asyncio.run(take())
        return shown

    def test_a_progress_that_does_not_go_on_is_skipped(self) -> None:
        steps = [1, 1, 0, 2, 1.5, 2.5]
        assert self.told(*({"progress": step} for step in steps)).steps == [1, 2, 2.5]

    @pytest.mark.parametrize("progress", [None, "1", True, -1, 10**16, [1], {}])
    def test_a_progress_that_is_no_number_is_skipped(self, progress: Any) -> None:
        assert self.told({"progress": progress}, {"progress": 1}).steps == [1]

    @pytest.mark.parametrize("total", [None, "9", True, -1, 10**16, [9]])
    def test_a_total_that_is_none_is_unknown(self, total: Any) -> None:
        assert self.told({"progress": 1, "total": total}).told[0][1].total is None

    @pytest.mark.parametrize("message", [None, "", 7, ["a"]])
    def test_a_message_that_is_none_is_left_out(self, message: Any) -> None:
        assert self.told({"progress": 1, "message": message}).told[0][1].message is None

    def test_one_a_second_is_shown(self) -> None:
        assert self.told(*({"progress": step} for step in range(20)), every=0.25).steps == [0, 4, 8, 12, 16]


def test_an_error_after_progress_is_shown_as_failed() -> None:
    server = McpServerFake()

    async def reply(message: dict[str, Any], request: Request) -> Response:
        if message["method"] != "tools/call":
            return server._modern(message, request)
        failed = bytes(error(message, -32000, "broken", 200).body).decode()
        token = message["params"]["_meta"]["progressToken"]

        async def frames() -> Any:
            yield note(progressToken=token, progress=1)
            yield f"data: {failed}\n\n"

        return StreamingResponse(frames(), media_type="text/event-stream")

    server.reply = reply
    answer, shown = called(server)
    assert answer == "calc: the server reports an error: broken"
    assert [progress.status for _, progress in shown.told] == ["running", "failed"]
