"""Generates `yarrow/agents/agent_descriptors.json` from `system_agents.yaml`; a test compares the two.

Run `python -m tools.make_agent_descriptors` after changing the bundled agents.
"""

from yarrow.agents import system_agents
from yarrow.agents.descriptors import BUNDLED, FILE, as_json


def text() -> str:
    """The file's content."""
    return as_json({name: each.descriptor(name) for name, each in system_agents.load(FILE).items()})


if __name__ == "__main__":
    BUNDLED.write_text(text(), encoding="utf-8")
