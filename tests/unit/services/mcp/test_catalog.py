"""Which tools of MCP servers a run is granted (MCP-01)."""

import asyncio
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import Response

from tests.support.mcp_servers import McpServerFake, listening
from yarrow.agents.grants import GrantedMcpTool
from yarrow.agents.mcp_servers import McpServer
from yarrow.services.mcp import catalog, client
from yarrow.services.mcp.wire import McpError, Server

pytestmark = pytest.mark.enable_socket
UNCHECKED = {"type": "object", "properties": {"amount": {"type": "number"}, "iban": {"pattern": "^A"}}}


@pytest.fixture(autouse=True)
def forgotten() -> None:
    client._modern.clear()
    catalog._listed.clear()


def granted(url: str, *tools: Any) -> dict[str, GrantedMcpTool]:
    policy = McpServer(url="https://bank.example.com/", tools=tools)
    enabled = frozenset(f"bank_{tool['id'] if isinstance(tool, dict) else tool}" for tool in tools)
    servers = {"bank": Server(url, {}, private=False, seconds=5)}
    return asyncio.run(catalog.granted({"bank": policy}, servers, enabled))


def test_a_tool_with_conditions_is_granted_only_if_its_arguments_can_be_checked() -> None:
    """Otherwise a call with `"5000"` would pass a condition on numbers."""
    server = McpServerFake()
    server.tools = [{"name": "pay", "description": "Pay.", "inputSchema": UNCHECKED}]
    with listening(server) as url:
        assert granted(url, {"id": "pay", "approval": {"when": {"amount": {"minimum": 1000}}}}) == {}
        assert set(granted(url, {"id": "pay", "approval": "always"})) == {"bank_pay"}


def test_what_is_granted_fits_into_the_runs_item() -> None:
    server = McpServerFake()
    large = {"type": "object", "description": "x" * 12_000}
    server.tools = [{"name": f"tool{number}", "inputSchema": large} for number in range(20)]
    with listening(server) as url:
        tools = granted(url, *(f"tool{number}" for number in range(20)))
    assert 5 < len(tools) < 20
    assert sum(len(tool.model_dump_json()) for tool in tools.values()) <= catalog.MAX_GRANTED_BYTES


def test_a_server_that_failed_is_not_asked_again_at_once() -> None:
    """Each run would wait for it."""
    server = McpServerFake()
    server.tools = []
    tools = granted("http://127.0.0.1:1/mcp", "pay")
    assert tools["bank_pay"].unavailable == "the server cannot be reached"
    assert "http://127.0.0.1:1/mcp" in {address for address, _ in catalog._listed}


def test_what_a_server_lists_for_one_user_is_not_kept_for_another() -> None:
    """Nor that one has not signed in: the next run may have a token."""
    server = McpServerFake()

    async def none(_: str | None) -> str:
        raise McpError("the user has to sign in")

    async def some(_: str | None) -> str:
        return "a-token"

    policy = McpServer.model_validate({"url": "https://bank.example.com/", "tools": ["add"], "oauth": {}})
    with listening(server) as url:
        found = []
        for token in (none, some):
            servers = {"bank": Server(url, {}, private=False, seconds=5, token=token)}
            found.append(asyncio.run(catalog.granted({"bank": policy}, servers, frozenset({"bank_add"}))))
    assert [one["bank_add"].unavailable for one in found] == ["the user has to sign in", None]
    assert {headers["authorization"] for headers in server.headers} == {"Bearer a-token"}
    assert catalog._listed == {}


def test_a_token_that_is_refused_twice_says_nothing_of_the_server() -> None:
    """It is asked for anew once a request; the server's revision stays unknown."""
    server, asked = McpServerFake(), []

    async def refuse(message: dict[str, Any], request: Request) -> Response:
        return Response(status_code=401)

    async def give(refused: str | None) -> str:
        asked.append(refused)
        return f"token-{len(asked)}"

    server.reply = refuse
    with listening(server) as url:
        one = client.McpClient(Server(url, {}, private=False, seconds=5, token=give))
        with pytest.raises(McpError, match="refused the credentials"):
            asyncio.run(one.list_tools())
    assert asked == [None, "token-1"]
    assert client._modern == {}
