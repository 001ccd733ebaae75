"""Structured content is what its server promised, or the call is a clear error (MCP-01)."""

import asyncio
import time
from typing import Any

import pytest

from tests.support.mcp_servers import McpServerFake, listening
from yarrow.agents.grants import GrantedMcpTool
from yarrow.agents.mcp_servers import McpServer
from yarrow.protocol.runner.api import AgentAPIException
from yarrow.protocol.runner.tools import TimeZones, ToolContext
from yarrow.services.mcp import catalog, client
from yarrow.services.mcp.output_schema import MAX_COST, checkable, mismatch
from yarrow.services.mcp.tools import RunTools
from yarrow.services.mcp.wire import Server
from yarrow.services.tools.builtin import TOOLS

pytestmark = pytest.mark.enable_socket

SUM = {"type": "object", "properties": {"sum": {"type": "integer"}}, "required": ["sum"]}
CONTEXT = ToolContext("alice", "thread", "run", TimeZones())


@pytest.fixture(autouse=True)
def forgotten() -> None:
    client._modern.clear()
    catalog._listed.clear()


def granted(url: str) -> dict[str, GrantedMcpTool]:
    policy = McpServer.model_validate({"url": "https://calc.example.com/", "tools": [{"id": "add"}, {"id": "fail"}]})
    servers = {"calc": Server(url, {}, private=False, seconds=5)}
    return asyncio.run(catalog.granted({"calc": policy}, servers, frozenset({"calc_add", "calc_fail"})))


def called(schema: Any, name: str = "add", structured: Any = None, **arguments: Any) -> Any:
    """The result of a call of a tool with this output schema."""
    server = McpServerFake()
    for tool in server.tools:
        tool["outputSchema"] = schema
    with listening(server) as url:
        tools = RunTools(TOOLS, granted(url), {"calc": Server(url, {}, private=False, seconds=5)})
        return asyncio.run(tools.answer(f"calc_{name}", {"a": 1, "b": 2, **arguments}, CONTEXT)).result


def test_a_result_that_matches_is_the_result() -> None:
    assert called(SUM) == {"sum": 3}


@pytest.mark.parametrize(
    ("schema", "why"),
    [
        ({**SUM, "properties": {"sum": {"type": "string"}}}, r"\$\.sum: 3 is not of type 'string'"),
        ({**SUM, "required": ["total"]}, r"\$: 'total' is a required property"),
        ({"type": "array"}, r"\$: {'sum': 3} is not of type 'array'"),
    ],
)
def test_a_result_that_does_not_is_an_error_that_says_why(schema: Any, why: str) -> None:
    """The call is not repeated: its server would answer the same, and has acted."""
    with pytest.raises(
        AgentAPIException, match=f"calc: the result does not match the tool's output schema: {why}"
    ) as e:
        called(schema)
    assert (e.value.error.code, e.value.error.retryable) == ("runtime_error", False)


def test_a_failed_call_promises_nothing() -> None:
    assert called(SUM, "fail") == {"error": "it is broken"}


def test_content_that_is_missing_does_not_match() -> None:
    assert asyncio.run(mismatch(None, SUM)) == "$: there is no structured content"


def nested(depth: int) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(depth):
        schema = {"type": "array", "items": schema}
    return schema


HOSTILE: dict[str, Any] = {
    "recursive": {"type": "object", "properties": {"sum": {"$ref": "#"}}},
    "recursive by a definition": {"$ref": "#/$defs/a", "$defs": {"a": {"anyOf": [{"$ref": "#/$defs/a"}]}}},
    "huge": {"type": "object", "properties": {f"p{number}": {"type": "string"} for number in range(1_000)}},
    "huge with its references written out": {
        "$defs": {f"d{n}": {"allOf": [{"$ref": f"#/$defs/d{n + 1}"}] * 8} for n in range(9)}
        | {"d9": {"type": "string"}},
        "type": "object",
        "properties": {"sum": {"$ref": "#/$defs/d0"}},
    },
    "deep": nested(150),
    "a regular expression": {"type": "object", "properties": {"sum": {"pattern": "(a+)+$"}}},
    "a reference to another host": {"$ref": "{url}/schema.json"},
    "a reference inward": {"$ref": "http://169.254.169.254/latest/meta-data"},
    "a file": {"$ref": "file:///etc/passwd"},
    "an id of another host": {"$id": "{url}/base.json", "$ref": "other.json"},
    "another dialect": {"$schema": "{url}/dialect", "type": "object", "$vocabulary": {"{url}/v": True}},
    "unique items": {"type": "array", "uniqueItems": True},
    "no schema": {"type": "nonsense"},
    "no object": ["type"],
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_schema_that_cannot_be_checked_is_not_followed(kind: str) -> None:
    """The tool works without it; nothing is fetched, by whatever reference."""
    server = McpServerFake()
    with listening(server) as url:
        server.tools[0]["outputSchema"] = _at(HOSTILE[kind], url.removesuffix("/mcp"))
        tool = granted(url)["calc_add"]
    assert tool.output is None
    assert tool.parameters["required"] == ["a", "b"]
    assert set(server.paths) == {"/mcp"}


def _at(schema: Any, url: str) -> Any:
    match schema:
        case dict():
            return {_at(name, url): _at(value, url) for name, value in schema.items()}
        case list():
            return [_at(value, url) for value in schema]
        case str():
            return schema.replace("{url}", url)
    return schema


def test_a_check_that_would_take_long_is_not_made() -> None:
    """The bound counts both: here each of many values has many rules."""
    schema = {"type": "array", "items": {"anyOf": [{"type": "string"}] * 400}}
    assert checkable(schema)
    assert asyncio.run(mismatch([1], schema)) is not None
    before = time.process_time()
    assert asyncio.run(mismatch([1] * MAX_COST, schema)) is None
    assert time.process_time() - before < 5


def test_schemas_of_results_go_before_tools_are_left_out() -> None:
    server = McpServerFake()
    large = {"type": "object", "description": "x" * 12_000}
    server.tools = [{"name": f"t{n}", "inputSchema": large, "outputSchema": {**large, "title": "r"}} for n in range(9)]
    policy = McpServer.model_validate({"url": "https://c.example.com/", "tools": [{"id": f"t{n}"} for n in range(9)]})
    with listening(server) as url:
        servers = {"c": Server(url, {}, private=False, seconds=5)}
        tools = asyncio.run(catalog.granted({"c": policy}, servers, frozenset(f"c_t{n}" for n in range(9))))
    assert len(tools) == 9
    assert sum(len(tool.model_dump_json()) for tool in tools.values()) <= catalog.MAX_GRANTED_BYTES
    assert 0 < sum(tool.output is None for tool in tools.values()) < 9
