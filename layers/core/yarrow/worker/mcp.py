"""MCP servers of a run's agent, and what their tools are when the run begins."""

import asyncio
import time
from collections.abc import Callable, Mapping, Set
from typing import TYPE_CHECKING, Final

from botocore.exceptions import BotoCoreError, ClientError

from yarrow.agents.grants import GrantedMcpTool, RunGrant
from yarrow.agents.mcp_servers import McpServer
from yarrow.agents.system_agents import SystemAgent
from yarrow.protocol.runner.api import ToolDetail
from yarrow.services.api.errors import no_run
from yarrow.services.tools.registry import ToolRegistry
from yarrow.settings import settings
from yarrow.store.runner import grants
from yarrow.store.runs import Run

if TYPE_CHECKING:
    from yarrow.services.mcp.pictures import KeepPicture, Picture
    from yarrow.services.mcp.tools import FindTool
    from yarrow.services.mcp.wire import GiveToken, Server
    from yarrow.worker.results.tool_progress import ToolProgress


TOKEN_SECONDS: Final = 30.0
"""How long a run uses a token without asking for it again; less than tokens outlast when they are handed out."""


def servers(policy: SystemAgent, user_id: str) -> Mapping[str, "Server"]:
    """Return the agent's servers by name, with their secrets, and the user's tokens for those that want them.

    Raises RunnerFailedError `runner.secret_missing`.
    """
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
            None if server.oauth is None else _token_of(user_id, server),
        )
        for name, server in policy.mcp.items()
    }


def _token_of(user_id: str, server: McpServer) -> "GiveToken":
    """Return what gives the user's token for a server; it is asked for when the server is."""
    from yarrow.mcp_oauth.connections import NotConnectedError, access_token
    from yarrow.mcp_oauth.exchange import OAuthError
    from yarrow.services.mcp.sign_in import NEEDED
    from yarrow.services.mcp.wire import McpError, SignInNeededError
    from yarrow.store import mcp_connections

    connection_id = mcp_connections.id_of(server.url, None if server.oauth is None else server.oauth.client_id)
    kept: list[tuple[float, str]] = []

    async def give(refused: str | None) -> str:
        if kept and kept[-1][1] != refused and kept[-1][0] > time.monotonic():
            return kept[-1][1]
        try:
            token = await access_token(user_id, connection_id, server.url, private=server.private, refused=refused)
        except NotConnectedError as error:
            raise (SignInNeededError if settings.mcp_connections_page else McpError)(NEEDED) from error
        except OAuthError as error:
            raise McpError(f"the user's token cannot be renewed: {error}") from error
        except (BotoCoreError, ClientError) as error:
            raise McpError("the user's token cannot be read now") from error
        kept[:] = [(time.monotonic() + TOKEN_SECONDS, token)]
        return token

    return give


def granted(
    run: Run, policy: SystemAgent, found: Mapping[str, "Server"], enabled: Set[str]
) -> Mapping[str, GrantedMcpTool]:
    """Ask the servers for the enabled tools. One that cannot be asked costs its tools, not the run.

    A run that continues another has the tools that this one began with: its runner is run again, and has to see the
    same.
    """
    if not found:
        return {}
    if run.earlier and (first := grants.read(run.log_key)) is not None:
        tools = RunGrant.model_validate_json(first.grant_json).mcp_tools
        return {name: tool for name, tool in tools.items() if name in enabled}
    from yarrow.services.mcp import catalog

    return asyncio.run(catalog.granted(policy.mcp, found, frozenset(enabled)))


def finder(policy: SystemAgent, found: Mapping[str, "Server"]) -> "FindTool | None":
    """Return what asks a server for a tool while the run goes on; None for an agent without servers."""
    if not found:
        return None

    async def find(name: str) -> GrantedMcpTool | None:
        from yarrow.services.mcp import catalog

        return (await catalog.granted(policy.mcp, found, frozenset({name}))).get(name)

    return find


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
