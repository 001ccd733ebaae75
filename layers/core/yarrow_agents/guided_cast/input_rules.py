"""What the guided cast demands of its input: nothing. It has the deployment's help lines, as the divination agent."""

from yarrow.protocol.run_input.rules import InputRules
from yarrow_agents.help_lines import HELP_LINES

RULES = InputRules(deployment_config=HELP_LINES)
