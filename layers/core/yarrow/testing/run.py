"""One run of a runner on a host in memory."""

import asyncio
import atexit
import inspect
import uuid
from collections.abc import Iterable, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from functools import cache
from typing import Any

from yarrow.protocol.runner.models import (
    AgentEventContext,
    AgentInput,
    AgentResources,
    AgentRunContext,
    AgentRunResult,
    AgentRunState,
    AgentRuntimeContext,
    AgentTrigger,
    ContextAccess,
    ContextAPICapabilities,
    DeliveryContext,
    InlineContextPolicy,
    InstalledRunner,
)
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.protocol.runner.resources import ModelResource, ToolResource
from yarrow.testing.host import MemoryHost, Tool


@dataclass(frozen=True, slots=True)
class Ran:
    """What a run has yielded, and the calls of its host."""

    results: tuple[AgentRunResult, ...]
    calls: tuple[tuple[str, dict[str, Any]], ...]

    @property
    def text(self) -> str:
        """The answer: its pieces or, without any, its whole messages."""
        pieces = [_text(result.data["chunk"]) for result in self.results if result.type == "message.delta"]
        whole = [_text(result.data["message"]) for result in self.results if result.type == "message.completed"]
        return "".join(pieces or whole)

    @property
    def tools(self) -> tuple[str, ...]:
        """The names of the tools that were called, in order."""
        return tuple(result.data["tool_name"] for result in self.results if result.type == "tool.call.started")

    @property
    def failure(self) -> str | None:
        """Why the run failed, None if it did not."""
        failed = [result.data for result in self.results if result.type == "run.failed"]
        return f"{failed[0]['code']}: {failed[0].get('message')}" if failed else None


def run(
    runner: InstalledRunner,
    text: str,
    *,
    models: Iterable[str] = (),
    tools: Mapping[str, Tool] | None = None,
    answers: Iterable[Any] = (),
    config: Mapping[str, Any] | None = None,
) -> Ran:
    """Run an agent on a user's message, and return what it has yielded.

    `models` are the texts that `api.models` answers with, in turn, `tools` the host's tools by name, `answers` what the
    user says to `api.ask`: True or False, a value, or None for no answer. `config` is that of the agent's block. What
    the runner raises is raised. All runs of a process share an event loop, as on a host.
    """
    host = MemoryHost(models, tools or {}, answers)
    return _loop().run(_run(runner, host, _context(text, tools or {}, config or {})))


@cache
def _loop() -> "asyncio.Runner":
    loop = asyncio.Runner()
    atexit.register(loop.close)
    return loop


async def _run(runner: InstalledRunner, host: MemoryHost, context: AgentRunContext) -> Ran:
    results = []
    api = AgentRunAPIProxy(context.run_id, host)
    async with aclosing(runner.create().run(context, api)) as made:
        async for result in made:
            results.append(result)
            if result.type in ("run.completed", "run.failed"):
                break
    return Ran(tuple(results), tuple(host.calls))


def _context(text: str, tools: Mapping[str, Tool], config: Mapping[str, Any]) -> AgentRunContext:
    run_id = str(uuid.uuid4())
    resources = AgentResources(
        models=(ModelResource(model_id="chat", operations=("invoke", "stream")),),
        tools=tuple(
            ToolResource(tool_name=name, description=inspect.getdoc(tool), operations=("detail", "call"))
            for name, tool in tools.items()
        ),
    )
    return AgentRunContext(
        run_id=run_id,
        trigger=AgentTrigger(type="message.received", source="api"),
        event=AgentEventContext(event_id="message-1", event_type="message.received", source="api"),
        input=AgentInput(text=text),
        delivery=DeliveryContext(surface="agui", supports_streaming=True),
        resources=resources,
        context=ContextAccess(
            inline_policy=InlineContextPolicy(mode="current_event", messages_complete=True),
            available_apis=ContextAPICapabilities(state=True),
        ),
        state=AgentRunState(),
        runtime=AgentRuntimeContext(trace_id=run_id),
        config=dict(config),
    )


def _text(message: Mapping[str, Any]) -> str:
    content = message.get("content") or ""
    if isinstance(content, str):
        return content
    return "".join(part.get("text", "") for part in content if part.get("type") == "text")
