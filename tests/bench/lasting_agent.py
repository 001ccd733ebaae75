"""An agent whose run is many short steps: `{"steps": 200}`."""

import asyncio
import json
from collections.abc import AsyncGenerator

from yarrow.protocol.runner.manifest import AgentRunnerManifest
from yarrow.protocol.runner.models import AgentRunContext, AgentRunner, AgentRunResult, InstalledRunner
from yarrow.protocol.runner.proxy import AgentRunAPIProxy

MANIFEST = AgentRunnerManifest(id="plugin:bench/lasting/default", name="default", label={"en_US": "Lasting"})
STEP_SECONDS = 0.05


class Lasting:
    async def run(self, context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        async def work() -> None:
            await asyncio.sleep(STEP_SECONDS)

        for _ in range(json.loads(context.input.text or "{}")["steps"]):
            await api.step("work", work)
            chunk = {"role": "assistant", "content": "."}
            yield AgentRunResult(run_id=context.run_id, type="message.delta", data={"chunk": chunk})


def _create() -> AgentRunner:
    return Lasting()


RUNNER = InstalledRunner(MANIFEST, _create)
