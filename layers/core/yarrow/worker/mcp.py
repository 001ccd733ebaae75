"""MCP servers of a run's agent, and what their tools are when the run begins."""

import asyncio
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from yarrow.agents.grants import GrantedMcpTool, RunGrant
from yarrow.agents.system_agents import SystemAgent
from yarrow.protocol.runner.api import ToolDetail
from yarrow.services.api.errors import no_run
from yarrow.services.tools.registry import ToolRegistry

if TYPE_CHECKING:
    from yarrow.services.mcp.pictures import KeepPicture, Picture
    from yarrow.services.mcp.wire import Server
    from yarrow.worker.results.tool_progress import ToolProgress


def servers(policy: SystemAgent) -> Mapping[str, "Server"]:
    """Return the agent's servers by name, with their secrets. Raises RunnerFailedError `runner.secret_missing`."""
    if not policy.mcp:
        return {}
    from yarrow.services.mcp.wire import Server
    from yarrow.worker.secrets import resolve

    return {
        name: Server(
            server.url,
            {header: str(value) for header, value in resolve(server.headers).items()},
            server.private,
            server.seconds,
        )
        for name, server in policy.mcp.items()
    }


def granted(
    policy: SystemAgent, found: Mapping[str, "Server"], enabled: frozenset[str]
) -> Mapping[str, GrantedMcpTool]:
    """Ask the servers for the enabled tools. One that cannot be asked costs its tools, not the run."""
    if not found:
        return {}
    from yarrow.services.mcp import catalog

    return asyncio.run(catalog.granted(policy.mcp, found, enabled))


def details(host: ToolRegistry, of_servers: Mapping[str, GrantedMcpTool]) -> Callable[[str], ToolDetail | None]:
    """Return a function that finds a tool of the host or of a server by its name."""
    if not of_servers:
        return host.detail
    from yarrow.services.mcp.tools import RunTools

    return RunTools(host, of_servers, {}).detail


def progress(granted: RunGrant) -> "ToolProgress | None":
    """Return what shows the progress of calls; None for a run without tools of servers."""
    if not granted.mcp_tools:
        return None
    from yarrow.worker.results.tool_progress import ToolProgress

    return ToolProgress()


def keeper(granted: RunGrant, is_active: Callable[[], bool]) -> "KeepPicture":
    """Return a function that stores pictures of tools' results. It raises `unauthorized` once the run has ended."""

    async def keep(key: str | None, picture: "Picture") -> str | None:
        from yarrow.media import tool_pictures  # few results have pictures

        if not await asyncio.to_thread(is_active):
            raise no_run()
        return await asyncio.to_thread(
            tool_pictures.keep,
            picture.data,
            picture.mime_type,
            call_key=key,
            user_id=granted.user_id,
            thread_id=granted.thread_id,
            run_key=granted.run_key,
        )

    return keep
