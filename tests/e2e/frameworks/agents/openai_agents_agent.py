"""The OpenAI Agents SDK."""

from agents import Agent, Runner, set_default_openai_api, set_tracing_disabled
from say import runner

set_default_openai_api("chat_completions")
set_tracing_disabled(True)
agent = Agent(name="assistant", model="fake")


async def pieces(text):
    async for event in Runner.run_streamed(agent, text).stream_events():
        if event.type == "raw_response_event" and event.data.type == "response.output_text.delta":
            yield event.data.delta


RUNNER = runner(pieces)
