"""A remote runner that calls its host for state, tools, a model and a step of its own."""

from collections.abc import AsyncGenerator
from typing import Any

from proved_agents.effects import made

from yarrow.protocol.runner.manifest import AgentRunnerManifest, AgentRunnerPermissions
from yarrow.protocol.runner.models import AgentRunContext, AgentRunResult, InstalledRunner
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.sdk import serve

MANIFEST = AgentRunnerManifest(
    id="plugin:proved/afar/default",
    name="default",
    label={"en_US": "Afar"},
    permissions=AgentRunnerPermissions(models=("stream", "invoke"), tools=("call",)),
)


class Afar:
    """Each of its calls goes over HTTP to a function of the host."""

    async def run(self, context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        """Its results."""

        def say(text: object) -> AgentRunResult:
            chunk = {"role": "assistant", "content": str(text)}
            return AgentRunResult(run_id=context.run_id, type="message.delta", data={"chunk": chunk})

        def effect(key: str) -> Any:
            return made("act", key)

        yield say(await api.tools.call("count", {"name": "a"}))
        yield say(await api.step("act", effect, retry="keyed"))
        messages = [{"role": "user", "content": context.input.text}]
        async for chunk in api.models.stream("chat", messages):
            if chunk.content:
                yield say(chunk.content)
        yield say(await api.tools.call("count", {"name": "a"}))
        await api.state.set("conversation", "said", context.input.text)
        yield AgentRunResult(run_id=context.run_id, type="run.completed", data={})


handler = serve(InstalledRunner(MANIFEST, Afar))
