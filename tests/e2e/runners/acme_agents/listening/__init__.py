"""Runners that take messages which their user adds to the run: one of the service's own protocol, and a plugin's."""

import asyncio
from collections.abc import AsyncGenerator
from pathlib import Path

from yarrow.protocol.runner.manifest import AgentRunnerCapabilities, AgentRunnerManifest
from yarrow.protocol.runner.models import AgentRunContext, AgentRunResult, InstalledRunner
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.runners.langbot import langbot_runner


class Listening:
    """Says what its user adds to the run; `config.next_step` is a pipe: it goes on when a test writes to it."""

    async def run(self, context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        """Yield its results."""

        def say(text: str) -> AgentRunResult:
            data = {"message": {"role": "assistant", "content": text}}
            return AgentRunResult(run_id=context.run_id, type="message.completed", data=data)

        yield say("listening")
        await asyncio.to_thread(Path(context.config["next_step"]).read_bytes)
        pulled = await api.steering.pull()
        yield say("heard " + ", ".join(message.content for message in pulled))
        await asyncio.to_thread(Path(context.config["next_step"]).read_bytes)


RUNNER = InstalledRunner(
    AgentRunnerManifest(
        id="plugin:acme/listening/default",
        name="default",
        label={"en_US": "Listening"},
        capabilities=AgentRunnerCapabilities(steering=True),
    ),
    Listening,
)

plugin = langbot_runner(
    "acme_agents.listening.default:ListeningRunner",
    manifest=Path(__file__).with_name("default.yaml"),
    plugin="acme/listening-plugin",
)
