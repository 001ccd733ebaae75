"""An agent of the OpenAI Agents SDK with one tool."""

from agents import Agent, function_tool, set_default_openai_api

from yarrow.adapters.openai_agents import runner

set_default_openai_api("chat_completions")  # servers other than OpenAI's have it too


@function_tool
def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


agent = Agent(name="Openai agents agent", model="gpt-5-mini", instructions="Be brief.", tools=[add])
RUNNER = runner(agent, id="plugin:example/openai_agents_agent/default", label="Openai agents agent")
