"""What clients may know of an agent before they run it, from its block and its runner, as AG-UI's AgentCapabilities.

What is only the runner's to know, it declares itself (`InstalledRunner.capabilities`), or its block does for it
(`delivery.capabilities`). What the host knows, neither can change.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from yarrow.agents.system_agents import SystemAgent
from yarrow.observability.logs import logger
from yarrow.protocol.agui.capabilities import AgentCapabilities, merged, read_capabilities
from yarrow.protocol.run_input.body import RuntimeMode
from yarrow.protocol.runner.manifest import text_in
from yarrow.protocol.runner.models import InstalledRunner
from yarrow.runners import discovery

Document = Mapping[str, Any]
ToolDocument = Callable[[str], Document | None]
"""Finds the name, description and parameters of a tool; None if it is unknown before a run."""

PLATFORM: Final = "yarrow"
_MINUTE: Final = 60_000


def capabilities_of(name: str, agent: SystemAgent, tool: ToolDocument, locale: str) -> AgentCapabilities:
    """Return the capabilities of the agent `name`, its texts in the language of `locale`.

    Of a remote runner, or one that does not load here, only the host and the agent's block say something.
    """
    runner = runner_of(agent)
    declared = [] if runner is None else [_of_manifest(runner, locale), _of_runner(runner, agent)]
    return read_capabilities(merged(*declared, agent.delivery.capabilities, _of_host(name, agent, runner, tool)))


def runner_of(agent: SystemAgent) -> InstalledRunner | None:
    """Return an agent's runner; None for a remote one, and, with a warning, for one that does not load here."""
    try:
        return discovery.find(agent.runner)
    except Exception as error:  # noqa: BLE001 (loading runs foreign code; what it raised is told)
        reason = f"{type(error).__name__}: {error}"
        logger.warning("a runner does not load", extra={"runner": agent.runner, "reason": reason})
        return None


def _mode(agent: SystemAgent) -> RuntimeMode:
    """Return the mode in which clients talk with the agent."""
    return "chat" if "chat" in agent.modes else next(iter(agent.modes))


def _of_manifest(runner: InstalledRunner, locale: str) -> Document:
    manifest, can = runner.manifest, runner.manifest.capabilities
    texts = {"name": manifest.label, "description": manifest.description or {}}
    return {
        "identity": {member: text for member, by_locale in texts.items() if (text := text_in(by_locale, locale))},
        "tools": {"supported": can.tool_calling, "clientProvided": can.tool_calling},
        "multimodal": {
            "input": {"image": can.multimodal_input, **dict.fromkeys(("audio", "video", "pdf", "file"), False)}
        },
    }


def _of_runner(runner: InstalledRunner, agent: SystemAgent) -> Document:
    """Return what the runner declares; nothing, with a warning in the log, if that is not valid."""
    try:
        declared = runner.capabilities(agent.config_in(_mode(agent)))
        read_capabilities(declared)
    except Exception as error:  # noqa: BLE001 (it is foreign code; what it raised is told)
        reason = f"{type(error).__name__}: {error}"
        logger.warning("a runner's capabilities were ignored", extra={"runner": agent.runner, "reason": reason})
        return {}
    return declared


def _of_host(name: str, agent: SystemAgent, runner: InstalledRunner | None, tool: ToolDocument) -> Document:
    tools = [] if runner is not None and "call" not in runner.manifest.permissions.tools else _tools(agent, tool)
    approved = [policy for policy in agent.resources.tools if policy.approved_by_user is not None]
    memory = {"memory": True} if any(item["name"] == "memory_search" for item in tools) else {}
    return {
        "identity": {"type": PLATFORM, "metadata": {"agent": name, "modes": list(agent.modes)}},
        "transport": {
            "streaming": True,
            "resumable": True,
            "websocket": False,
            "httpBinary": False,
            "pushNotifications": False,
        },
        "tools": {"items": tools, **({"supported": True} if tools else {})},
        "state": {"snapshots": True, "persistentState": True, **memory},
        "execution": {"maxExecutionTime": agent.max_minutes * _MINUTE},
        "humanInTheLoop": {
            "supported": True,
            "interrupts": True,
            "interventions": runner is not None and runner.manifest.capabilities.steering,
            "approvals": bool(approved),
            "approveWithEdits": any(policy.allow_edit for policy in approved),
        },
    }


def _tools(agent: SystemAgent, tool: ToolDocument) -> list[Document]:
    """Return the host's tools that the agent may call; those of MCP servers are known when a run begins."""
    mode = _mode(agent)
    enabled = [] if mode == "automation" else agent.runtime_config(mode).enabled_tools
    may_call = {policy.id for policy in agent.resources.tools if "call" in policy.operations}
    return [found for name in enabled if name in may_call and (found := tool(name)) is not None]
