"""The agent with a tool of the quickstart of the OpenAI Agents SDK, and the two lines that make it a runner."""

from agents import Agent
from agents.decorators import tool

from yarrow.adapters.openai_agents import runner


@tool
def history_fun_fact() -> str:
    """Return a short history fact."""
    return "Sharks are older than trees."


agent = Agent(
    name="History Tutor",
    instructions="Answer history questions clearly. Use history_fun_fact when it helps.",
    tools=[history_fun_fact],
)

RUNNER = runner(agent, id="plugin:tests/openai-agents/default", label="History Tutor")
"""Of the adapter: the import and this line."""

RESOURCES = {"tools": ["get_current_time"]}
"""For a test: the tool of the host that its model is offered."""
