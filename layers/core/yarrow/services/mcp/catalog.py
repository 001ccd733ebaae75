"""What the tools of MCP servers are, when a run begins (MCP-01)."""

import asyncio
import json
import logging
import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from yarrow.agents.grants import GrantedMcpTool
from yarrow.agents.mcp_servers import McpServer, McpTool, named
from yarrow.agents.tool_policies import ApprovalConditions
from yarrow.services.mcp.client import McpClient, RemoteTool
from yarrow.services.mcp.output_schema import checkable
from yarrow.services.mcp.tools import is_checkable
from yarrow.services.mcp.wire import McpError, Server, SignInNeededError

logger = logging.getLogger(f"yarrow.{__name__}")

LISTED_SECONDS: Final = 300.0
"""How long a process uses a server's list of tools."""
MAX_DESCRIPTION: Final = 2_000
"""Characters of a tool's description."""
MAX_SCHEMA_BYTES: Final = 16 * 1024
MAX_GRANTED_BYTES: Final = 128 * 1024
"""JSON bytes of all tools of servers that a run is granted; further ones are left out."""
LIST_SECONDS: Final = 10.0
"""How long a server may take to list its tools: the run has not begun, and its viewers wait."""
FAILED_SECONDS: Final = 30.0
"""How long a server that failed is not asked again."""

_SIGN_IN: Final = (
    "The user has not signed in to {server}. A call of this tool asks them to, and then tells its parameters."
)

_Listed = dict[str, RemoteTool] | McpError
"""What a server has, or why it could not be asked."""

_listed: dict[tuple[str, frozenset[tuple[str, str]]], tuple[float, _Listed]] = {}
"""Until when a process uses what a server has, or why it could not be asked."""


async def granted(
    policies: Mapping[str, McpServer], servers: Mapping[str, Server], enabled: frozenset[str]
) -> dict[str, GrantedMcpTool]:
    """Return the enabled tools by their names for models, with what their servers say of them now.

    A tool of a server that cannot be asked is granted without parameters, and answers why, or asks for a sign-in; one
    that its server does not have, or whose schema is too large, is left out. So is one with conditions for its
    approval whose schema cannot be checked here: nobody could tell which calls they mean.
    """
    wanted = {name: of_server for name, of_server in named(policies).items() if name in enabled}
    server_names = list(dict.fromkeys(server for server, _ in wanted.values()))
    answers = dict(
        zip(server_names, await asyncio.gather(*(_tools_of(name, servers[name]) for name in server_names)), strict=True)
    )
    found = {name: _granted(server, tool, answers[server]) for name, (server, tool) in wanted.items()}
    return _within_limit({name: tool for name, tool in found.items() if tool is not None})


def _within_limit(tools: dict[str, GrantedMcpTool]) -> dict[str, GrantedMcpTool]:
    """Return the first tools that fit; then, of these, the first schemas of results that still do."""
    kept: dict[str, GrantedMcpTool] = {}
    left = MAX_GRANTED_BYTES
    for name, tool in tools.items():
        plain = tool.model_copy(update={"output": None})
        left -= _size(plain)
        if left < 0:
            logger.warning(
                "the schemas of MCP tools are too large together", extra={"left_out": len(tools) - len(kept)}
            )
            return kept
        kept[name] = plain
    for name, tool in tools.items():
        more = _size(tool) - _size(kept[name])
        if more <= left:
            kept[name] = tool
            left -= more
    return kept


def _size(tool: GrantedMcpTool) -> int:
    return len(tool.model_dump_json().encode())


def _granted(server: str, tool: McpTool, answer: _Listed) -> GrantedMcpTool | None:
    """Return a tool as its server describes it; `answer` is what the server has, or why it could not be asked."""
    if isinstance(answer, McpError):
        needs_sign_in = isinstance(answer, SignInNeededError)
        return GrantedMcpTool(
            server=server,
            name=tool.id,
            description=_SIGN_IN.format(server=server) if needs_sign_in else f"Not available: {answer}",
            parameters={"type": "object"},
            retry=tool.retry,
            unavailable=str(answer),
            needs_sign_in=needs_sign_in,
        )
    remote = _usable(server, answer.get(tool.id), tool)
    if remote is None:
        return None
    return GrantedMcpTool(
        server=server,
        name=tool.id,
        description=remote.description[:MAX_DESCRIPTION],
        parameters=remote.parameters,
        output=_promised(server, remote),
        retry=tool.retry,
    )


def _promised(server: str, remote: RemoteTool) -> dict[str, Any] | None:
    """Return the schema of the tool's structured content; None if there is none, or it cannot be checked here."""
    if remote.output is None:
        return None
    if len(json.dumps(remote.output).encode()) <= MAX_SCHEMA_BYTES and checkable(remote.output):
        return remote.output
    extra = {"server": server, "tool": remote.name}
    logger.warning("results of an MCP tool are not checked, as their schema cannot be", extra=extra)
    return None


def _usable(server: str, remote: RemoteTool | None, tool: McpTool) -> RemoteTool | None:
    why = None
    if remote is None:
        why = "the server does not have it"
    elif len(json.dumps(remote.parameters).encode()) > MAX_SCHEMA_BYTES:
        why = "its schema is too large"
    elif isinstance(tool.approval, ApprovalConditions) and not is_checkable(remote.parameters):
        why = "its schema cannot be checked, and its approval has conditions"
    if why is not None:
        logger.warning("an MCP tool is left out", extra={"server": server, "tool": tool.id, "reason": why})
    return remote if why is None else None


async def _tools_of(name: str, server: Server) -> _Listed:
    """Return a server's tools by name, or why it could not be asked."""
    # What a server lists for one user is not another's.
    key = None if server.token is not None else (server.url, frozenset(server.headers.items()))
    listed = None if key is None else _listed.get(key)
    if listed is not None and listed[0] > time.monotonic():
        return listed[1]
    try:
        patient = replace(server, seconds=min(server.seconds, LIST_SECONDS))
        answer: _Listed = {tool.name: tool for tool in await McpClient(patient).list_tools()}
    except McpError as error:
        logger.warning("the tools of an MCP server cannot be listed", extra={"server": name, "reason": str(error)})
        answer = error
    if key is None:
        return answer
    if len(_listed) >= 100:  # a deployment names a few
        _listed.clear()
    seconds = FAILED_SECONDS if isinstance(answer, McpError) else LISTED_SECONDS
    _listed[key] = (time.monotonic() + seconds, answer)
    return answer
