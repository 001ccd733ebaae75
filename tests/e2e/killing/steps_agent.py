"""An agent that writes down its effects: `{"steps": 6, "ledger": "/path"}`, each as a line with its key."""

import asyncio
import json
from collections.abc import AsyncGenerator
from pathlib import Path

from yarrow.protocol.runner.manifest import AgentRunnerManifest
from yarrow.protocol.runner.models import AgentRunContext, AgentRunner, AgentRunResult, InstalledRunner
from yarrow.protocol.runner.proxy import AgentRunAPIProxy

MANIFEST = AgentRunnerManifest(id="plugin:tests/steps/default", name="default", label={"en_US": "Steps"})


class Stepping:
    """Its effects go on in pairs, side by side; its words say what came of them."""

    async def run(self, context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        request = json.loads(context.input.text or "{}")

        async def act(number: int) -> int:
            async def effect(key: str) -> int:
                _write(Path(request["ledger"]), key)
                await asyncio.sleep(0.01)  # so that a kill may find it
                return number

            result: int = await api.step("act", effect, retry="keyed")
            return result

        for number in range(0, request["steps"], 2):
            for done in await asyncio.gather(act(number), act(number + 1)):
                chunk = {"role": "assistant", "content": f"{done} "}
                yield AgentRunResult(run_id=context.run_id, type="message.delta", data={"chunk": chunk})


def _write(ledger: Path, key: str) -> None:
    with ledger.open("a", encoding="utf-8") as file:
        file.write(f"{key}\n")


def _create() -> AgentRunner:
    return Stepping()


RUNNER = InstalledRunner(MANIFEST, _create)
