"""An agent whose question says what it does, in JSON: how many pieces it says, and where it waits or exits."""

import asyncio
import json
import os
from collections.abc import AsyncGenerator
from pathlib import Path

from yarrow.protocol.runner.manifest import AgentRunnerManifest
from yarrow.protocol.runner.models import AgentRunContext, AgentRunner, AgentRunResult, InstalledRunner
from yarrow.protocol.runner.proxy import AgentRunAPIProxy

PAUSE_SECONDS = 0.005

MANIFEST = AgentRunnerManifest(id="plugin:tests/killed/default", name="default", label={"en_US": "Killed"})


class Killed:
    """`{"pieces": 30, "holds": [12, "/path"], "exits": 3}`: the number of pieces; the piece before which it waits
    unless the file exists, which it creates; the status with which it ends its process."""

    async def run(self, context: AgentRunContext, _api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        """Yield the pieces; the same each time."""
        request = json.loads(context.input.text or "{}")
        held, marker = request.get("holds", (None, ""))
        for number in range(request["pieces"]):
            if number == held and _is_first(Path(marker)):
                await asyncio.Event().wait()
            await asyncio.sleep(PAUSE_SECONDS)
            chunk = {"role": "assistant", "content": f"{number} "}
            yield AgentRunResult(run_id=context.run_id, type="message.delta", data={"chunk": chunk})
        if "exits" in request:
            os._exit(request["exits"])


def _is_first(marker: Path) -> bool:
    try:
        marker.touch(exist_ok=False)
    except FileExistsError:
        return False
    return True


def _create() -> AgentRunner:
    return Killed()


RUNNER = InstalledRunner(MANIFEST, _create)
