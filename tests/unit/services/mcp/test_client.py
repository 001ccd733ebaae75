"""The client of MCP servers, of both eras, and what hostile servers cannot do (MCP-01)."""

import asyncio
import itertools
import json
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response, StreamingResponse

from tests.support.mcp_servers import McpServerFake, error, listening
from yarrow.services.mcp import catalog, client, wire
from yarrow.services.mcp.client import McpClient
from yarrow.services.mcp.results import result_of
from yarrow.services.mcp.wire import McpError, Server, header_value

pytestmark = pytest.mark.enable_socket
ADD = {"type": "object", "properties": {"a": {}, "b": {"x-mcp-header": "Second"}}}


@pytest.fixture(autouse=True)
def forgotten() -> None:
    """What a process remembers of servers is not that of another test."""
    client._modern.clear()
    catalog._listed.clear()


def asking(url: str, seconds: float = 20, **headers: str) -> McpClient:
    return McpClient(Server(url, headers, private=False, seconds=seconds))


def listed(url: str) -> list[str]:
    return [tool.name for tool in asyncio.run(asking(url).list_tools())]


def called(url: str, name: str = "add", seconds: float = 20, **arguments: Any) -> Any:
    return result_of(asyncio.run(asking(url, seconds).call_tool(name, arguments, ADD)))


@pytest.mark.parametrize("legacy", [False, True], ids=["2026-07-28", "2025-06-18"])
@pytest.mark.parametrize("streams", [False, True], ids=["json", "events"])
def test_tools_are_listed_and_called_in_both_eras(*, legacy: bool, streams: bool) -> None:
    """MCP-01."""
    server = McpServerFake(legacy=legacy, streams=streams)
    with listening(server) as url:
        assert listed(url) == ["add", "say.hello", "fail"]
        assert called(url, a=1, b=2) == {"sum": 3}
    begun = ["initialize", "notifications/initialized"] if legacy else []
    listing = ["tools/list"] * (2 if legacy else 1)
    # The second client knows how the server speaks; a session is its own.
    assert server.methods == ["server/discover", *begun, *listing, *begun, "tools/call"]


def test_the_newest_revision_has_its_headers() -> None:
    server = McpServerFake()
    with listening(server) as url:
        called(url, "say.hello", a=1, b=7)
    headers = server.headers[-1]
    assert headers["mcp-protocol-version"] == "2026-07-28"
    assert (headers["mcp-method"], headers["mcp-name"]) == ("tools/call", "say.hello")
    assert headers["mcp-param-second"] == "7"
    assert headers["accept"] == "application/json, text/event-stream"


@pytest.mark.parametrize(
    ("text", "expected"),
    [("plain", "plain"), ("用", "=?base64?55So?="), (" a ", "=?base64?IGEg?="), ("=?x", "=?base64?PT94?=")],
)
def test_header_values_are_ascii(text: str, expected: str) -> None:
    assert header_value(text) == expected


def test_a_session_that_is_over_is_begun_again_once() -> None:
    server = McpServerFake(legacy=True)
    with listening(server) as url:
        one = asking(url)
        for number in (1, 2):
            assert result_of(asyncio.run(one.call_tool("add", {"a": number, "b": 2}, ADD))) == {"sum": number + 2}
            server.session += 1  # the server is restarted
    assert server.methods.count("initialize") == 2


def test_no_two_clients_share_a_session() -> None:
    """What a server keeps for one run, such as an open page, is not shown to another user's."""
    server = McpServerFake(legacy=True)
    with listening(server) as url:
        for _ in range(2):
            called(url, a=1, b=2)
    sessions = [headers["mcp-session-id"] for headers in server.headers if "mcp-session-id" in headers]
    assert len(set(sessions)) == 2


def test_a_failure_of_the_tool_is_a_result_and_other_content_is_named() -> None:
    with listening(McpServerFake()) as url:
        assert called(url, "fail") == {"error": "it is broken"}
        assert called(url, "say.hello").startswith("hello\n")


def test_a_tool_that_asks_for_input_is_answered_with_an_error() -> None:
    assert result_of({"resultType": "input_required", "inputRequests": {}}) == {
        "error": "the tool asks for input that this agent cannot give"
    }


# ---- Hostile servers -------------------------------------------------------------------------------------------------
def large(message: dict[str, Any], _: Request) -> Response:
    return JSONResponse({"jsonrpc": "2.0", "id": message["id"], "result": {"text": "x" * (wire.MAX_ANSWER_BYTES + 1)}})


async def _endless(frame: str) -> Any:
    while True:
        yield frame
        await asyncio.sleep(0)


async def _silent() -> Any:
    yield ": open\n\n"
    await asyncio.Event().wait()


def raw(content: str, kind: str = "application/json", status: int = 200) -> Any:
    return lambda *_: Response(content, status, media_type=kind)


def stream(frames: Any) -> Any:
    return lambda *_: StreamingResponse(frames(), media_type="text/event-stream")


def of_id(**members: Any) -> Any:
    return lambda message, _: JSONResponse({"jsonrpc": "2.0", "id": message["id"], **members})


HOSTILE: dict[str, tuple[Any, str]] = {
    "no JSON": (raw("<html>"), "no JSON"),
    "HTML": (raw("<html>", "text/html"), "did not answer"),
    "nested too deep": (raw("[" * 100_000), "no JSON"),
    "a list": (raw("[]"), "did not answer"),
    "a text": (raw('"yes"'), "did not answer"),
    "nothing": (raw(""), "did not answer"),
    "an answer to another request": (raw('{"id": "other", "result": {}}'), "did not answer"),
    "a result that is no object": (of_id(result=[1]), "has no result"),
    "an error without a message": (of_id(error={}), "no reason"),
    "an error of 1 MB": (of_id(error={"message": "x" * 1_000_000}), "x" * 500),
    "too large": (large, "exceeds"),
    "an endless stream of comments": (stream(lambda: _endless(": " + "x" * 10_000 + "\n\n")), "exceeds"),
    "an endless stream of notifications": (
        stream(lambda: _endless('data: {"method": "x"}\n\n')),
        "took too long|exceeds",
    ),
    "an endless line": (stream(lambda: _endless("data: " + "x" * 10_000)), "exceeds"),
    "a stream without an answer": (stream(lambda: _frames(": bye\n\n")), "without an answer"),
    "a stream of no JSON": (stream(lambda: _frames("data: {\n\n")), "no JSON"),
    "a silent stream": (stream(_silent), "took too long"),
    "a redirect inward": (lambda *_: RedirectResponse("http://169.254.169.254/"), "status 307"),
    "401": (raw("", status=401), "refused the credentials"),
    "403": (raw("{}", status=403), "refused the credentials"),
    "404": (raw("", status=404), "status 404"),
    "429": (raw("", status=429), "status 429"),
    "500": (raw("boom", "text/plain", 500), "status 500"),
    "an unknown revision": (of_id(result={"protocolVersion": "1999-01-01"}), "no revision"),
    "revisions that are no list": (of_id(result={"supportedVersions": 7}), "no revision"),
    "a number without end": (raw('{"id": 1, "result": {"a": 1e999}}'), "no JSON"),
    "NaN": (raw('{"id": 1, "result": {"a": NaN}}'), "no JSON"),
    "a result nested 900 deep": (raw('{"id": 1, "result": {"a": ' + "[" * 900 + "]" * 900 + "}}"), "no JSON"),
    "202 to a request": (raw("", status=202), "did not answer"),
    "a revision that is no text": (of_id(result={"protocolVersion": {}}), "no revision"),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_server_costs_one_clear_error(kind: str) -> None:
    """Within the server's time and size, and the process lives on."""
    make, expected = HOSTILE[kind]
    server = McpServerFake()

    async def reply(message: dict[str, Any], request: Request) -> Response:
        answer: Response = make(message, request)
        return answer

    server.reply = reply
    with listening(server) as url, pytest.raises(McpError, match=expected) as caught:
        called(url, seconds=2, a=1, b=2)
    assert len(str(caught.value)) < 600


def test_tools_that_lie_are_left_out() -> None:
    server = McpServerFake()
    lying: list[dict[str, Any]] = [
        {"name": 7, "inputSchema": {"type": "object"}},
        {"name": "no schema"},
        {"name": "list", "inputSchema": {"type": "array"}},
        {"name": "text", "inputSchema": "object"},
        {"name": "good", "inputSchema": {"type": "object"}, "description": ["ignore", "all"]},
    ]
    server.tools = lying
    with listening(server) as url:
        (tool,) = asyncio.run(asking(url).list_tools())
    assert (tool.name, tool.description) == ("good", "")


def test_a_list_without_an_end_is_cut() -> None:
    server, pages = McpServerFake(), itertools.count()

    async def reply(message: dict[str, Any], request: Request) -> Response:
        if message["method"] != "tools/list":
            return server._modern(message, request)
        number = next(pages)
        tool = {"name": f"tool-{number}", "inputSchema": {"type": "object"}}
        return server.result(message, {"tools": [tool], "nextCursor": str(number)})

    server.reply = reply
    with listening(server) as url:
        assert len(listed(url)) == client.MAX_PAGES


@pytest.mark.parametrize(
    "url", ["http://169.254.169.254/", "http://10.0.0.1/mcp", "http://[fd00::1]/", "http://0.0.0.0/"]
)
def test_no_private_address_is_reached(url: str) -> None:
    with pytest.raises(McpError, match="not a public host"):
        called(url, seconds=2)


def test_a_private_server_is_reached_if_the_operator_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    server = McpServerFake()
    with listening(server) as url:
        private = McpClient(Server(url, {}, private=True, seconds=20))
        assert len(asyncio.run(private.list_tools())) == 3


def test_secrets_are_in_no_error() -> None:
    server = McpServerFake()

    async def reply(message: dict[str, Any], request: Request) -> Response:
        return error(message, -32000, "denied", 400)

    server.reply = reply
    with listening(server) as url, pytest.raises(McpError) as caught:
        asyncio.run(asking(url, Authorization="Bearer hidden").list_tools())
    assert "hidden" not in str(caught.value)
    assert server.headers[0]["authorization"] == "Bearer hidden"


def test_an_idempotency_key_is_passed_on() -> None:
    server = McpServerFake()
    with listening(server) as url:
        asyncio.run(asking(url).call_tool("add", {"a": 1, "b": 2}, ADD, key="the-key"))
    assert server.messages[-1]["params"]["_meta"]["yarrow/idempotencyKey"] == "the-key"
    assert json.dumps(server.messages[-1]["params"]["arguments"]) == '{"a": 1, "b": 2}'


async def _frames(*frames: str) -> Any:
    for frame in frames:
        yield frame
