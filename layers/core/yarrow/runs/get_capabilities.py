"""Says what an agent can do, before anyone runs it."""

from yarrow.agents import bindings
from yarrow.agents.capabilities import capabilities_of
from yarrow.protocol.agui.capabilities import AgentCapabilities
from yarrow.protocol.problems import Code, Problem
from yarrow.services.tools import details
from yarrow.settings import settings


def get_capabilities(agent: str | None, locale: str | None) -> AgentCapabilities:
    """Return an agent's capabilities, by default of that of `/send-message`. Raises Problem 404 for an unknown one."""
    binding = bindings.deployed().get(agent or bindings.agui_default())
    if binding is None:
        agents = sorted(bindings.deployed())
        raise Problem(Code.AGENT_NAME_UNKNOWN, "the deployment has no such agent", params={"agents": agents})
    return capabilities_of(binding.agent, binding.policy, details.find, locale or settings.default_locale)
