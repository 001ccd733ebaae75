"""Strands Agents."""

from say import runner
from strands import Agent
from strands.models.openai import OpenAIModel

model = OpenAIModel(model_id="fake")


async def pieces(text):
    async for event in Agent(model=model, callback_handler=None).stream_async(text):
        if "data" in event:
            yield event["data"]


RUNNER = runner(pieces)
