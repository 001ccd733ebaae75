"""An agent that sleeps twice for longer than a worker waits, with a step before, between and after."""

import os
from collections.abc import AsyncGenerator

from yarrow.protocol.runner.manifest import AgentRunnerManifest
from yarrow.protocol.runner.models import AgentRunContext, AgentRunner, AgentRunResult, InstalledRunner
from yarrow.protocol.runner.proxy import AgentRunAPIProxy

MANIFEST = AgentRunnerManifest(id="plugin:examples/naps/default", name="default", label={"en_US": "Naps"})
SLEEP_SECONDS = 12


class Naps:
    """What it says is of its steps, so that a step made twice would be seen."""

    async def run(self, context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        worked = str(await api.step("first", _work))
        yield _say(context.run_id, worked)
        for name in ("second", "third"):
            await api.sleep(seconds=SLEEP_SECONDS)
            worked = str(await api.step(name, _work))
            yield _say(context.run_id, f" {worked}")
        yield AgentRunResult(run_id=context.run_id, type="run.completed")


async def _work() -> str:
    """Return what no second call would."""
    return os.urandom(8).hex()


def _say(run_id: str, text: str) -> AgentRunResult:
    return AgentRunResult(run_id=run_id, type="message.delta", data={"chunk": {"role": "assistant", "content": text}})


def _create() -> AgentRunner:
    return Naps()


RUNNER = InstalledRunner(MANIFEST, _create)
