"""An agent that outlives its workers: `{"pieces": 6, "ledger": "/path", "sleep": 3600}`.

Each piece of work is a step, which it writes down; then it may sleep.
"""

import asyncio
import json
from collections.abc import AsyncGenerator
from functools import partial
from pathlib import Path

from yarrow.protocol.runner.manifest import AgentRunnerManifest
from yarrow.protocol.runner.models import AgentRunContext, AgentRunner, AgentRunResult, InstalledRunner
from yarrow.protocol.runner.proxy import AgentRunAPIProxy

MANIFEST = AgentRunnerManifest(id="plugin:tests/turns/default", name="default", label={"en_US": "Turns"})
PIECE_SECONDS = 0.2


class Lasting:
    async def run(self, context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        asked = json.loads(context.input.text or "{}")

        async def work(number: int) -> int:
            _write(Path(asked["ledger"]), number)
            await asyncio.sleep(PIECE_SECONDS)
            return number

        for number in range(asked["pieces"]):
            done = await api.step("work", partial(work, number))
            chunk = {"role": "assistant", "content": f"{done} "}
            yield AgentRunResult(run_id=context.run_id, type="message.delta", data={"chunk": chunk})
        if "sleep" in asked:
            await api.sleep(seconds=asked["sleep"])


def _write(ledger: Path, number: int) -> None:
    with ledger.open("a", encoding="utf-8") as file:
        file.write(f"{number}\n")


def _create() -> AgentRunner:
    return Lasting()


RUNNER = InstalledRunner(MANIFEST, _create)
