"""An agent of Strands with one tool."""

from strands import Agent, tool
from strands.models.openai import OpenAIModel

from yarrow.adapters.strands import runner


@tool
def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


agent = Agent(model=OpenAIModel(model_id="gpt-5-mini"), system_prompt="Be brief.", tools=[add])
RUNNER = runner(agent, id="plugin:example/strands_agent/default", label="Strands agent")
