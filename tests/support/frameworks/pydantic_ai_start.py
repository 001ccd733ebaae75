"""The first agent of Pydantic AI's documentation, by a model of OpenAI, and the two lines that make it a runner."""

from pydantic_ai import Agent

from yarrow.adapters.pydantic_ai import runner

agent = Agent(
    "openai-chat:gpt-5-mini",
    instructions="Be concise, reply with one sentence.",
)

RUNNER = runner(agent, id="plugin:tests/pydantic-ai/default", label="Concise")
"""Of the adapter: the import and this line."""

RESOURCES = {"tools": ["get_current_time"]}
"""For a test: the tool of the host that its model is offered."""
