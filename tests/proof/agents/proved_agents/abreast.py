"""An agent that calls tools, models and effects of its own side by side, some of them equal to each other."""

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

from proved_agents.effects import made
from yarrow.protocol.runner.manifest import AgentRunnerManifest, AgentRunnerPermissions
from yarrow.protocol.runner.models import AgentRunContext, AgentRunner, AgentRunResult, InstalledRunner
from yarrow.protocol.runner.proxy import AgentRunAPIProxy

MANIFEST = AgentRunnerManifest(
    id="plugin:proved/abreast/default",
    name="default",
    label={"en_US": "Abreast"},
    permissions=AgentRunnerPermissions(models=("invoke", "stream"), tools=("call",)),
)


class Abreast:
    """Two rounds of six calls; what they answered is what it says."""

    async def run(self, context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        """Its results."""

        async def act(number: int) -> Any:
            def effect(key: str) -> Any:
                return made(f"act {number}", key)

            return await api.step("act", effect, retry="keyed")

        async def request(text: str) -> Any:
            reply = await api.models.invoke("chat", [{"role": "user", "content": text}])
            return reply.message.content

        lot = await api.random()
        for index in range(2):
            answers = await asyncio.gather(
                api.tools.call("count", {"name": "a"}),
                request(f"question {index}"),
                api.tools.call("count", {"name": "a"}),
                act(index),
                request(f"question {index} with {lot:.3f}"),
                act(index),
            )
            count = (await api.state.get("conversation", "rounds") or 0) + 1
            await api.state.set("conversation", "rounds", count)
            for answer in (*answers, count):
                chunk = {"role": "assistant", "content": f"{answer}; "}
                yield AgentRunResult(run_id=context.run_id, type="message.delta", data={"chunk": chunk})


def _create() -> AgentRunner:
    return Abreast()


RUNNER = InstalledRunner(MANIFEST, _create)
