"""A compiled LangGraph graph as a runner."""

import base64
import logging
from collections.abc import AsyncGenerator, Collection, Mapping
from contextlib import aclosing
from typing import Any, Final

from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.graph.state import CompiledStateGraph

from yarrow.adapters.agui.agent import AguiAgent
from yarrow.adapters.agui.runner import manifest
from yarrow.adapters.langgraph.node_cache import NodeCache
from yarrow.adapters.langgraph.source import GraphSource
from yarrow.protocol.runner.models import AgentEvent, AgentRunContext, AgentRunResult, InstalledRunner
from yarrow.protocol.runner.proxy import AgentRunAPIProxy

logger = logging.getLogger(f"yarrow.{__name__}")

STATE_KEY: Final = "langgraph"
"""The key in the conversation's state: the graph's channels, besides its messages."""
MAX_STATE_BYTES: Final = 64 * 1024

_SERDE: Final = JsonPlusSerializer()


def runner(
    graph: CompiledStateGraph[Any, Any, Any, Any],
    *,
    id: str,  # noqa: A002 (the manifest's name of it)
    label: str,
    shown: Collection[str] | None = None,
    events: Mapping[str, AgentEvent] | None = None,
) -> InstalledRunner:
    """Return the runner of a graph whose state has `messages`. `id` is `plugin:author/name/runner`.

    A checkpointer of the graph is not used: the conversation is the host's. Only the text of the nodes `shown` is
    streamed, if they are given: models of others may decide what to do. `events` declares the custom events that are
    passed on, which nodes write as `{"name", "value"}`.
    """
    declared = events or {}
    return InstalledRunner(
        manifest(id, {"en_US": label}, models=True), create=lambda: _Runner(graph, shown, declared), events=declared
    )


class _Runner:
    def __init__(
        self,
        graph: CompiledStateGraph[Any, Any, Any, Any],
        shown: Collection[str] | None,
        events: Mapping[str, AgentEvent],
    ) -> None:
        self._graph = graph
        self._shown = shown
        self._events = events

    async def run(self, context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        """Yield the graph's answer, calls, questions and end, and the state that its next run begins with."""
        source = GraphSource(self._graph, NodeCache(api), _loaded(context), self._shown, api)
        agent = AguiAgent(source, self._events.keys(), durable=False)
        async with aclosing(agent.run(context, api)) as results:
            async for result in results:
                if result.type == "run.completed":
                    async for kept in self._kept(context, source):
                        yield kept
                yield result

    async def _kept(self, context: AgentRunContext, source: GraphSource) -> AsyncGenerator[AgentRunResult]:
        if not (values := await source.values()):
            return
        kind, data = _SERDE.dumps_typed(values)
        if len(data) > MAX_STATE_BYTES:
            logger.warning("a graph's state is too large to be kept", extra={"bytes": len(data)})
            return
        value = [kind, base64.b64encode(data).decode()]
        update = {"scope": "conversation", "key": STATE_KEY, "value": value}
        yield AgentRunResult(run_id=context.run_id, type="state.updated", data=update)


def _loaded(context: AgentRunContext) -> Mapping[str, Any]:
    """Return the channels that the conversation's last run left."""
    match context.state.conversation.get(STATE_KEY):
        case [str(kind), str(data)]:
            values = _SERDE.loads_typed((kind, base64.b64decode(data)))
            return values if isinstance(values, dict) else {}
    return {}
