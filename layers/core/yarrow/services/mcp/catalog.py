"""What the tools of MCP servers are, when a run begins (MCP-01)."""

import asyncio
import json
import logging
import time
from collections.abc import Mapping
from typing import Final

from yarrow.agents.grants import GrantedMcpTool
from yarrow.agents.mcp_servers import McpServer, McpTool, tool_name
from yarrow.services.mcp.client import McpClient, RemoteTool
from yarrow.services.mcp.wire import McpError, Server

logger = logging.getLogger(f"yarrow.{__name__}")

LISTED_SECONDS: Final = 300.0
"""How long a process uses a server's list of tools."""
MAX_DESCRIPTION: Final = 2_000
"""Characters of a tool's description."""
MAX_SCHEMA_BYTES: Final = 16 * 1024

_listed: dict[tuple[str, frozenset[tuple[str, str]]], tuple[float, dict[str, RemoteTool]]] = {}


async def granted(
    policies: Mapping[str, McpServer], servers: Mapping[str, Server], enabled: frozenset[str]
) -> dict[str, GrantedMcpTool]:
    """Return the enabled tools by their names for models, with what their servers say of them now.

    A tool of a server that cannot be asked is granted without parameters, and answers why; one that its server does
    not have, or whose schema is too large, is left out.
    """
    wanted = {
        server: {tool.id: tool for tool in policy.tools if tool_name(server, tool.id) in enabled}
        for server, policy in policies.items()
    }
    asked = [name for name, tools in wanted.items() if tools]
    answers = await asyncio.gather(*(_tools_of(name, servers[name]) for name in asked))
    found: dict[str, GrantedMcpTool] = {}
    for server, answer in zip(asked, answers, strict=True):
        for tool in wanted[server].values():
            usable = _granted(server, tool, answer)
            if usable is not None:
                found[tool_name(server, tool.id)] = usable
    return found


def _granted(server: str, tool: McpTool, answer: dict[str, RemoteTool] | str) -> GrantedMcpTool | None:
    """Return a tool as its server describes it; `answer` is what the server has, or why it could not be asked."""
    if isinstance(answer, str):
        return GrantedMcpTool(
            server=server,
            name=tool.id,
            description=f"Not available: {answer}",
            parameters={"type": "object"},
            retry=tool.retry,
            unavailable=answer,
        )
    remote = _usable(server, answer.get(tool.id), tool.id)
    if remote is None:
        return None
    return GrantedMcpTool(
        server=server,
        name=tool.id,
        description=remote.description[:MAX_DESCRIPTION],
        parameters=remote.parameters,
        retry=tool.retry,
    )


def _usable(server: str, tool: RemoteTool | None, name: str) -> RemoteTool | None:
    if tool is None:
        logger.warning("an MCP server does not have a tool", extra={"server": server, "tool": name})
    elif len(json.dumps(tool.parameters).encode()) > MAX_SCHEMA_BYTES:
        logger.warning("the schema of an MCP tool is too large", extra={"server": server, "tool": name})
    else:
        return tool
    return None


async def _tools_of(name: str, server: Server) -> dict[str, RemoteTool] | str:
    """Return a server's tools by name, or why it could not be asked."""
    key = (server.url, frozenset(server.headers.items()))
    listed = _listed.get(key)
    if listed is not None and listed[0] > time.monotonic():
        return listed[1]
    try:
        tools = {tool.name: tool for tool in await McpClient(server).list_tools()}
    except McpError as error:
        logger.warning("the tools of an MCP server cannot be listed", extra={"server": name, "reason": str(error)})
        return str(error)
    if len(_listed) >= 100:  # a deployment names a few
        _listed.clear()
    _listed[key] = (time.monotonic() + LISTED_SECONDS, tools)
    return tools
