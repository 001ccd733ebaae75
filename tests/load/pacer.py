"""An agent in one file that says as many pieces as its question asks for, one every so many seconds.

The question is JSON, `{"pieces": 20, "every": 2.5}`. A piece is the moment it was said, by the machine's monotonic
clock.
"""

import asyncio
import json
import time
from collections.abc import AsyncGenerator

from yarrow.protocol.runner.manifest import AgentRunnerManifest
from yarrow.protocol.runner.models import AgentRunContext, AgentRunResult, InstalledRunner
from yarrow.protocol.runner.proxy import AgentRunAPIProxy

MANIFEST = AgentRunnerManifest(id="plugin:load/pacer/default", name="default", label={"en_US": "Pacer"})


class Pacer:
    """Says so many pieces, one every so often."""

    async def run(self, context: AgentRunContext, _api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        """Yield the pieces, the whole message and the end."""
        request = json.loads(context.input.text or "")
        clock = asyncio.get_running_loop().time
        start, texts = clock(), []
        for number in range(request["pieces"]):
            await asyncio.sleep(start + number * request["every"] - clock())
            texts.append(f"{time.monotonic():.5f} ")
            chunk = {"role": "assistant", "content": texts[-1]}
            yield AgentRunResult(run_id=context.run_id, type="message.delta", data={"chunk": chunk})
        whole = {"role": "assistant", "content": "".join(texts)}
        yield AgentRunResult(run_id=context.run_id, type="message.completed", data={"message": whole})
        yield AgentRunResult(run_id=context.run_id, type="run.completed")


RUNNER = InstalledRunner(MANIFEST, Pacer)
