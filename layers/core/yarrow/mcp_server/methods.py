"""The methods of the MCP server, and which revisions have them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from yarrow.mcp_server import agent_tools, package_tools, resources, round_trips, tasks
from yarrow.mcp_server.agent_tools import AgentCall
from yarrow.mcp_server.json_rpc import INITIALIZED, LATEST, Document, RpcCode, RpcError
from yarrow.mcp_server.requests import INITIALIZE, McpRequest
from yarrow.mcp_server.run_answers import error_result
from yarrow.protocol.caller import Caller
from yarrow.protocol.problems import Problem

_INSTRUCTIONS: Final = (
    "Tools named ask_… send a message of the user to an agent, which may take minutes. Go on with a conversation by "
    "the threadId of its answer. The resources are the user's earlier conversations."
)
_SERVER_INFO: Final = {"name": "yarrow", "title": "Yarrow", "version": "1"}
_SERVER_ERROR: Final = 500


@dataclass(frozen=True, slots=True)
class Method:
    """What answers a method, and how long clients of the newest revision may keep the answer, in milliseconds."""

    answer: Callable[[McpRequest, Caller], Document | AgentCall]
    kept_ms: int | None = None
    in_latest: bool = True
    in_initialized: bool = True


def answer(request: McpRequest, caller: Caller) -> Document | AgentCall:
    """Return the result of a request, or the call of an agent whose answer is the result.

    Raises RpcError; Problem for what HTTP refuses, such as a limit.
    """
    method = _METHODS.get(request.method)
    if method is None or not (method.in_latest if request.is_latest else method.in_initialized):
        raise RpcError(RpcCode.METHOD_NOT_FOUND, "method not found")
    found = method.answer(request, caller)
    return found if isinstance(found, AgentCall) else complete(request, found, method.kept_ms)


def complete(request: McpRequest, result: Document, kept_ms: int | None = None) -> Document:
    """Return a result as the revision of its request has it."""
    if not request.is_latest:
        return result
    cached = {} if kept_ms is None else {"ttlMs": kept_ms, "cacheScope": "private"}
    meta = {"io.modelcontextprotocol/serverInfo": _SERVER_INFO, **result.get("_meta", {})}
    return {"resultType": "complete", **cached, **result, "_meta": meta}


def _initialize(request: McpRequest, _caller: Caller) -> Document:
    """Agree on a revision: the client's if it is one of those that begin so, else the newest of them."""
    asked = request.params.get("protocolVersion")
    if not isinstance(asked, str):
        raise RpcError(RpcCode.INVALID_PARAMS, "protocolVersion must be a string")
    return {
        "protocolVersion": asked if asked in INITIALIZED else INITIALIZED[0],
        "capabilities": _capabilities(),
        "serverInfo": _SERVER_INFO,
        "instructions": _INSTRUCTIONS,
    }


def _discover(_request: McpRequest, _caller: Caller) -> Document:
    return {
        "supportedVersions": [LATEST, *INITIALIZED],
        "capabilities": {**_capabilities(), "extensions": {tasks.EXTENSION: {}}},
        "instructions": _INSTRUCTIONS,
    }


def _capabilities() -> Document:
    return {"tools": {}, "resources": {}}


def _ping(_request: McpRequest, _caller: Caller) -> Document:
    return {}


def _list_tools(request: McpRequest, _caller: Caller) -> Document:
    if request.params.get("cursor") is not None:
        raise RpcError(RpcCode.INVALID_PARAMS, "unknown cursor: all tools are on the first page")
    agents = list(agent_tools.describe())
    taken = {tool["name"] for tool in agents}
    return {"tools": agents + [tool for tool in package_tools.describe() if tool["name"] not in taken]}


def _call_tool(request: McpRequest, caller: Caller) -> Document | AgentCall:
    name, arguments = request.params.get("name"), request.params.get("arguments", {})
    if not isinstance(name, str):
        raise RpcError(RpcCode.INVALID_PARAMS, "name must be a string")
    if not isinstance(arguments, dict):
        raise RpcError(RpcCode.INVALID_PARAMS, "arguments must be an object")
    binding = agent_tools.find(name)
    if binding is None:
        tool = package_tools.find(name)
        if tool is None:
            raise RpcError(RpcCode.INVALID_PARAMS, f"unknown tool: {name[:128]}")
        return package_tools.call(tool, arguments, caller)
    try:
        if round_trips.is_continued(request):
            return round_trips.go_on(binding, request, caller)
        call = agent_tools.prepare(binding, request, arguments, caller)
        return tasks.created(call.submit()) if request.has_extension(tasks.EXTENSION) else call
    except Problem as problem:
        return refused_call(problem)


def refused_call(problem: Problem) -> Document:
    """Return the result of a call that was refused, which the model sees. Raises it if the service failed."""
    if problem.status >= _SERVER_ERROR:
        raise problem
    return error_result(f"{problem.detail} ({problem.code.name})")


_METHODS: Final[Mapping[str, Method]] = {
    INITIALIZE: Method(_initialize, in_latest=False),
    "ping": Method(_ping, in_latest=False),
    "server/discover": Method(_discover, kept_ms=3_600_000, in_initialized=False),
    "tools/list": Method(_list_tools, kept_ms=300_000),
    "tools/call": Method(_call_tool),
    "resources/list": Method(resources.list_sessions, kept_ms=0),
    "resources/templates/list": Method(resources.list_templates, kept_ms=3_600_000),
    "resources/read": Method(resources.read, kept_ms=0),
    "tasks/get": Method(tasks.get, in_initialized=False),
    "tasks/update": Method(tasks.update, in_initialized=False),
    "tasks/cancel": Method(tasks.cancel, in_initialized=False),
}
