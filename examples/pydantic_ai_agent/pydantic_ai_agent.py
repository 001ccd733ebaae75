"""An agent of Pydantic AI with one tool."""

from pydantic_ai import Agent

from yarrow.adapters.pydantic_ai import runner

agent = Agent("openai-chat:gpt-5-mini", instructions="Be brief.")


@agent.tool_plain
def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


RUNNER = runner(agent, id="plugin:example/pydantic_ai_agent/default", label="Pydantic ai agent")
