"""A Pydantic AI agent as a runner, by its own AG-UI adapter."""

from collections.abc import AsyncGenerator, AsyncIterable, Callable, Mapping
from contextlib import aclosing, nullcontext
from typing import Any

from pydantic_ai.agent import AbstractAgent
from pydantic_ai.ui.ag_ui import AGUIAdapter

from yarrow.adapters.agui.agent import AguiAgent
from yarrow.adapters.agui.runner import manifest
from yarrow.adapters.agui.sources import in_process
from yarrow.adapters.pydantic_ai.durability import DurableSteps
from yarrow.protocol.runner.models import AgentEvent, AgentRunContext, AgentRunResult, InstalledRunner
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.protocol.runner.vocabulary import Retry

Deps = Callable[[AgentRunContext, AgentRunAPIProxy], Any]
"""Makes the agent's `deps` for a run."""


def runner(
    agent: AbstractAgent[Any, Any],
    *,
    id: str,  # noqa: A002 (the manifest's name of it)
    label: str,
    deps: Deps | None = None,
    retry: Mapping[str, Retry] | None = None,
    events: Mapping[str, AgentEvent] | None = None,
) -> InstalledRunner:
    """Return the runner of an agent. `id` is `plugin:author/name/runner`.

    `retry` says for tools by name what happens to a call during which a worker died: it is made again (`safe`, the
    default) or fails the run (`never`). `events` declares the custom events that are passed on.
    """
    declared = events or {}
    return InstalledRunner(
        manifest(id, {"en_US": label}, models=True),
        create=lambda: _Runner(agent, deps, retry or {}, declared),
        events=declared,
    )


class _Runner:
    def __init__(
        self,
        agent: AbstractAgent[Any, Any],
        deps: Deps | None,
        retry: Mapping[str, Retry],
        events: Mapping[str, AgentEvent],
    ) -> None:
        self._agent = agent
        self._deps = deps
        self._retry = retry
        self._events = events

    async def run(self, context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        """Yield the agent's answer, calls, questions and end."""
        deps = None if self._deps is None else self._deps(context, api)
        steps = DurableSteps(api, self._retry)

        async def run(body: Any) -> AsyncGenerator[Any]:
            adapter = AGUIAdapter(self._agent, body, include_usage=True)
            stream: AsyncIterable[Any] = adapter.run_stream(deps=deps, capabilities=[steps])
            async with aclosing(stream) if isinstance(stream, AsyncGenerator) else nullcontext():
                async for event in stream:
                    yield _with_files(event, steps)

        async with aclosing(AguiAgent(in_process(run), self._events.keys()).run(context, api)) as results:
            async for result in results:
                yield result


def _with_files(event: Any, steps: DurableSteps) -> Any:
    """Return an event, or the document of a result whose files its text has as JSON."""
    parts = steps.shown.get(event.tool_call_id) if event.type == "TOOL_CALL_RESULT" else None
    return (
        event
        if parts is None
        else {**event.model_dump(mode="json", by_alias=True, exclude_none=True), "content": parts}
    )
