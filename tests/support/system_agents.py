"""An agent of a deployment's own, as its file has it."""

from typing import Any

from yarrow.agents.system_agents import SystemAgent

RUNNER = "plugin:acme/oracle/default"


def agent(**members: Any) -> SystemAgent:
    """An agent that demands nothing and takes every chat, with other members."""
    return SystemAgent.model_validate({"runner": RUNNER, "modes": {"chat": {}}, **members})
