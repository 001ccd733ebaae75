"""What a function that accepts runs knows of the agents: which runs are theirs, but not what these may do.

The bundled agents' descriptors are in `bundled.json` (`python -m tools.make_bundled`): reading their YAML and building
the models that check it would take a tenth of such a function's cold start.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

from yarrow.observability.logs import logger
from yarrow.packages import declared
from yarrow.settings import settings

FILE: Final = declared.LAYER / "system_agents.yaml"
"""The bundled agents, assembled from their packages' blocks; a deployment may name its own file."""


class SystemAgentsError(ValueError):
    """The file is invalid; the message says what and where, in one line."""


@contextmanager
def at_start() -> Iterator[None]:
    """Log a SystemAgentsError and add the file's name (AUT-05)."""
    try:
        yield
    except SystemAgentsError as error:
        reason = f"{settings.system_agents or FILE}: {error}"
        logger.critical("the agents cannot be used", extra={"reason": reason})
        raise SystemAgentsError(reason) from error


@dataclass(frozen=True, slots=True)
class AgentDescriptor:
    """An agent. `implied_by_…` imply it for runs that name none (C36); `task_name` and `workspace_events` are for its
    workspace, if it has one. `tools` and `models` are sorted ids. `mcp_tool` says whether it is a tool of the MCP
    server, and may be its description there.
    """

    input: str
    modes: tuple[str, ...]
    implied_by_modes: tuple[str, ...]
    implied_by_props: tuple[str, ...]
    stages: tuple[str, ...]
    tools: tuple[str, ...]
    models: tuple[str, ...]
    task_name: str | None
    workspace_events: tuple[str, ...]
    max_minutes: int
    mcp_tool: bool | str = False


def bundled() -> dict[str, AgentDescriptor]:
    return {name: AgentDescriptor(**_with_tuples(members)) for name, members in declared.index()["agents"].items()}


def _with_tuples(members: dict[str, Any]) -> dict[str, Any]:
    return {name: tuple(member) if isinstance(member, list) else member for name, member in members.items()}
