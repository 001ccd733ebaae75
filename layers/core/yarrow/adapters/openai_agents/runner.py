"""An agent of the OpenAI Agents SDK as a runner."""

from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

from agents import Agent, RunConfig
from agents.run_config import DEFAULT_MAX_TURNS

from yarrow.adapters.agui.agent import AguiAgent
from yarrow.adapters.agui.runner import manifest
from yarrow.adapters.openai_agents.durability import Steps
from yarrow.adapters.openai_agents.source import AgentSource
from yarrow.protocol.runner.models import AgentRunContext, AgentRunResult, InstalledRunner
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.protocol.runner.vocabulary import Retry

Context = Callable[[AgentRunContext, AgentRunAPIProxy], Any]
"""Makes the agent's `context` for a run."""


def runner(
    agent: Agent[Any],
    *,
    id: str,  # noqa: A002 (the manifest's name of it)
    label: str,
    context: Context | None = None,
    retry: Mapping[str, Retry] | None = None,
    run_config: RunConfig | None = None,
    max_turns: int = DEFAULT_MAX_TURNS,
) -> InstalledRunner:
    """Return the runner of an agent. `id` is `plugin:author/name/runner`.

    `retry` says for tools by name what happens to a call during which a worker died: it is made again (`safe`, the
    default) or fails the run (`never`). Without a `run_config`, the SDK's traces are not sent to OpenAI.
    """
    config = run_config or RunConfig(tracing_disabled=True)
    return InstalledRunner(
        manifest(id, {"en_US": label}, models=True),
        create=lambda: _Runner(agent, context, retry or {}, config, max_turns),
    )


@dataclass(frozen=True)
class _Runner:
    agent: Agent[Any]
    context: Context | None
    retry: Mapping[str, Retry]
    config: RunConfig
    max_turns: int

    async def run(self, context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        """Yield the agent's answer, calls, questions and end."""
        made = None if self.context is None else self.context(context, api)
        source = AgentSource(
            self.agent, self.config, lambda: Steps(api, self.retry), context=made, max_turns=self.max_turns
        )
        async with aclosing(AguiAgent(source, durable=False).run(context, api)) as results:
            async for result in results:
                yield result
