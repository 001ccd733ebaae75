"""Pydantic AI."""

from pydantic_ai import Agent
from say import runner

agent = Agent("openai-chat:fake")


async def pieces(text):
    async with agent.run_stream(text) as result:
        async for piece in result.stream_text(delta=True):
            yield piece


RUNNER = runner(pieces)
