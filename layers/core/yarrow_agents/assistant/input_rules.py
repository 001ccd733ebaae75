"""The assistant's input rules."""

from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.run_input.body import RunInput
from yarrow.protocol.run_input.rules import InputRules
from yarrow_agents.help_lines import HELP_LINES


def _check(run_input: RunInput) -> None:
    if run_input.user_message is not None and not run_input.text.strip() and not run_input.pictures:
        raise Problem(Code.AGENT_RUN_MESSAGES_INVALID, "the user message is empty")


RULES = InputRules(check=_check, deployment_config=HELP_LINES)
