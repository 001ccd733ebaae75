"""Checks the agents against what a deployment has: tools, models, and the workspaces that runners serve."""

from collections.abc import Callable, Collection, Mapping, Set

from yarrow.agents import approvals
from yarrow.agents.approvals import ToolApproval
from yarrow.agents.descriptors import SystemAgentsError
from yarrow.agents.system_agents import SystemAgent
from yarrow.protocol.runner.api import ToolDetail
from yarrow.protocol.runner.vocabulary import WorkspaceEvent


def check_tools(agents: Mapping[str, SystemAgent], tools: Callable[[str], ToolDetail | None]) -> None:
    """Raise SystemAgentsError for an unknown tool (AUT-05), or an approval that does not fit one (ASK-06).

    `tools` returns None for unknown ones.
    """
    for name, agent in agents.items():
        for index, tool in enumerate(agent.resources.tools):
            where = f"agents.{name}.resources.tools[{index}]"
            if tool.id in agent.mcp_tools:  # its server says what it is, when a run begins
                _check_conditions(f"agents.{name}.mcp: {tool.id}", tool.approved_by_user)
                continue
            if (detail := tools(tool.id)) is None:
                raise SystemAgentsError(f"{where}: there is no tool {tool.id}")
            if (approval := tool.approved_by_user) is not None:
                try:
                    approvals.check(approval, detail.parameters)
                except ValueError as error:
                    raise SystemAgentsError(f"{where}: {error}") from error


def _check_conditions(where: str, approval: ToolApproval | None) -> None:
    try:
        approvals.check_conditions({} if approval is None else approval.when)
    except ValueError as error:
        raise SystemAgentsError(f"{where}: {error}") from error


def check_surfaces(agents: Mapping[str, SystemAgent], declared: Callable[[str], Set[WorkspaceEvent] | None]) -> None:
    """Raise SystemAgentsError if a runner does not serve its agent's workspace.

    `declared` returns the events of a runner's surface by runner id, None without one.
    """
    for name, agent in agents.items():
        if agent.workspace is None:
            continue
        takes = declared(agent.runner)
        if takes is None:
            raise SystemAgentsError(f"agents.{name} has a workspace, and {agent.runner} declares none")
        if unknown := agent.workspace.events - takes:
            events = ", ".join(sorted(unknown))
            raise SystemAgentsError(f"agents.{name}: workspace.events has {events}, which {agent.runner} does not take")


def check_models(agents: Mapping[str, SystemAgent], models: Collection[str]) -> None:
    """Raise SystemAgentsError for an unknown model, if any are configured.

    Those without `stand_in` are left out instead.
    """
    known = ", ".join(sorted(models))
    for name, agent in agents.items():
        unknown = [model.id for model in agent.resources.models if model.stand_in and model.id not in models]
        if models and unknown:
            raise SystemAgentsError(f"agents.{name} needs {', '.join(unknown)}, not in Models (MODELS): {known}")
