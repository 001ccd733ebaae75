"""What the guided cast demands of its input: nothing. It has the deployment's help lines, as the divination agent."""

from yarrow.protocol.run_input.rules import InputRules

RULES = InputRules(deployment_config=frozenset({"help_lines"}))
