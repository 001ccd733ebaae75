"""An agent that speaks AG-UI: put the adapter of your framework in the place of `events`."""

from ag_ui.core import RunAgentInput, RunFinishedEvent, RunStartedEvent, TextMessageChunkEvent
from openai import AsyncOpenAI

from yarrow.adapters.agui import runner

model = AsyncOpenAI()


async def events(body: RunAgentInput):
    yield RunStartedEvent(thread_id=body.thread_id, run_id=body.run_id)
    messages = [{"role": message.role, "content": message.content} for message in body.messages]
    async for chunk in await model.chat.completions.create(model="gpt-5-mini", messages=messages, stream=True):
        if chunk.choices and (text := chunk.choices[0].delta.content):
            yield TextMessageChunkEvent(message_id=chunk.id, role="assistant", delta=text)
    yield RunFinishedEvent(thread_id=body.thread_id, run_id=body.run_id)


RUNNER = runner(events, id="plugin:example/agui_agent/default", label="Agui agent")
