"""The OpenAI SDK alone."""

from openai import AsyncOpenAI
from say import runner

client = AsyncOpenAI()


async def pieces(text):
    messages = [{"role": "user", "content": text}]
    async for chunk in await client.chat.completions.create(model="fake", messages=messages, stream=True):
        if chunk.choices and chunk.choices[0].delta.content:
            yield chunk.choices[0].delta.content


RUNNER = runner(pieces)
