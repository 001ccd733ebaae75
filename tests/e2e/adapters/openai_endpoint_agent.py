"""The agent of the OpenAI Agents SDK's quickstart with the SDK's own client, which asks the deployment's model."""

from collections.abc import AsyncGenerator

from agents import Agent, OpenAIChatCompletionsModel, RunConfig, Runner
from agents.decorators import tool
from openai import AsyncOpenAI
from openai.types.responses import ResponseTextDeltaEvent

from yarrow.adapters.openai_chat.endpoint import openai_endpoint
from yarrow.protocol.runner.manifest import AgentRunnerCapabilities, AgentRunnerManifest, AgentRunnerPermissions
from yarrow.protocol.runner.models import AgentRunContext, AgentRunResult, InstalledRunner
from yarrow.protocol.runner.proxy import AgentRunAPIProxy


@tool
def history_fun_fact() -> str:
    """Return a short history fact."""
    return "Sharks are older than trees."


agent = Agent(
    name="History Tutor",
    instructions="Answer history questions clearly. Use history_fun_fact when it helps.",
    tools=[history_fun_fact],
)


class Tutor:
    async def run(self, context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        """Yield the text as the SDK streams it."""
        async with openai_endpoint(api) as (base_url, key), AsyncOpenAI(base_url=base_url, api_key=key) as client:
            config = RunConfig(model=OpenAIChatCompletionsModel("chat", client), tracing_disabled=True)
            streamed = Runner.run_streamed(agent, context.input.text or "", run_config=config)
            async for event in streamed.stream_events():
                if event.type == "raw_response_event" and isinstance(event.data, ResponseTextDeltaEvent):
                    chunk = {"role": "assistant", "content": event.data.delta}
                    yield AgentRunResult(run_id=context.run_id, type="message.delta", data={"chunk": chunk})


RUNNER = InstalledRunner(
    AgentRunnerManifest(
        id="plugin:tests/openai-endpoint/default",
        name="default",
        label={"en_US": "History Tutor"},
        capabilities=AgentRunnerCapabilities(streaming=True),
        permissions=AgentRunnerPermissions(models=("invoke", "stream")),
    ),
    create=Tutor,
)
