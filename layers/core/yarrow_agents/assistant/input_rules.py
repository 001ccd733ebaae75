"""The assistant's input rules."""

from typing import Any

from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.run_input.body import RunInput
from yarrow.protocol.run_input.rules import InputRules
from yarrow.protocol.run_input.tool_results import client_results
from yarrow_agents.help_lines import HELP_LINES


def _check(run_input: RunInput) -> None:
    if run_input.user_message is not None and not run_input.text.strip() and not run_input.pictures:
        raise Problem(Code.AGENT_RUN_MESSAGES_INVALID, "the user message is empty")


def _data(run_input: RunInput) -> dict[str, Any]:
    """Return the client tools' results; the runner matches them to calls."""
    messages = (message.wire() for message in (*run_input.results_before, *run_input.messages))
    results = client_results(messages, {tool.name for tool in run_input.tools})
    return {"tool_results": results} if results else {}


RULES = InputRules(check=_check, data=_data, deployment_config=HELP_LINES)
