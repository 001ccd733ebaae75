"""A Strands agent as a runner."""

import json
import logging
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, Final

from strands import Agent
from strands.handlers.callback_handler import PrintingCallbackHandler, null_callback_handler

from yarrow.adapters.agui.agent import AguiAgent
from yarrow.adapters.agui.runner import manifest
from yarrow.adapters.strands.durability import Steps
from yarrow.adapters.strands.source import AgentSource
from yarrow.protocol.runner.models import AgentRunContext, AgentRunResult, InstalledRunner
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.protocol.runner.vocabulary import Retry

logger = logging.getLogger(f"yarrow.{__name__}")

STATE_KEY: Final = "strands"
"""The key in the conversation's state: the agent's `state`."""
MAX_STATE_BYTES: Final = 64 * 1024

ForRun = Callable[[AgentRunContext, AgentRunAPIProxy], Any]
"""Makes something for a run."""


def runner(
    agent: Agent | ForRun,
    *,
    id: str,  # noqa: A002 (the manifest's name of it)
    label: str,
    retry: Mapping[str, Retry] | None = None,
    invocation_state: ForRun | None = None,
    limits: Mapping[str, int] | None = None,
) -> InstalledRunner:
    """Return the runner of an agent, or of a function that makes one for a run. `id` is `plugin:author/name/runner`.

    `retry` says for tools by name what happens to a call during which a worker died: it is made again (`safe`, the
    default) or fails the run (`never`). `limits` are those of `Agent.stream_async`.
    """
    begins = agent.take_snapshot(preset="session", include=["system_prompt"]) if isinstance(agent, Agent) else None
    return InstalledRunner(
        manifest(id, {"en_US": label}, models=True),
        create=lambda: _Runner(agent, begins, retry or {}, invocation_state, limits),
    )


@dataclass(frozen=True)
class _Runner:
    agent: Agent | ForRun
    begins: Any
    """A snapshot of an agent of several runs before the first."""
    retry: Mapping[str, Retry]
    invocation_state: ForRun | None
    limits: Mapping[str, int] | None

    async def run(self, context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        """Yield the agent's answer, calls, questions and end, and the state that its next run begins with."""
        agent = self._agent(context, api)
        kept = context.state.conversation.get(STATE_KEY)
        made = {} if self.invocation_state is None else self.invocation_state(context, api)
        options = {"invocation_state": made, **({} if self.limits is None else {"limits": self.limits})}

        def steps(offered: Sequence[str]) -> Steps:
            return Steps(api, self.retry, offered)

        source = AgentSource(agent, kept if isinstance(kept, Mapping) else {}, steps, options)
        async with aclosing(AguiAgent(source, durable=False).run(context, api)) as results:
            async for result in results:
                if result.type == "run.completed" and (update := _update(kept, agent.state.get())) is not None:
                    yield AgentRunResult(run_id=context.run_id, type="state.updated", data=update)
                yield result

    def _agent(self, context: AgentRunContext, api: AgentRunAPIProxy) -> Agent:
        agent = self.agent if isinstance(self.agent, Agent) else self.agent(context, api)
        if self.begins is not None:
            agent.load_snapshot(self.begins)
        if isinstance(agent.callback_handler, PrintingCallbackHandler):
            agent.callback_handler = null_callback_handler  # the log has no users' texts
        return agent


def _update(kept: Any, state: dict[str, Any]) -> dict[str, Any] | None:
    """Return what keeps the agent's state for the conversation's next run; None if it has not changed."""
    if state == (kept or {}):
        return None
    if (size := len(json.dumps(state).encode())) > MAX_STATE_BYTES:
        logger.warning("an agent's state is too large to be kept", extra={"bytes": size})
        return None
    return {"scope": "conversation", "key": STATE_KEY, "value": state}
