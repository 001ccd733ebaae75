"""The guided cast has no rules for its input. It has the deployment's help lines, as the divination agent has."""

from yarrow.protocol.run_input.rules import InputRules
from yarrow_agents.help_lines import HELP_LINES

RULES = InputRules(deployment_config=HELP_LINES)
