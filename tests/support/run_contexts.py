"""The context of a run as tests and benchmarks hand it to a runner, and an API that answers nothing."""

from collections.abc import AsyncGenerator, Mapping
from typing import Any

from yarrow.protocol.runner.api import AgentAPIException
from yarrow.protocol.runner.models import (
    AgentEventContext,
    AgentInput,
    AgentResources,
    AgentRunContext,
    AgentRunState,
    AgentRuntimeContext,
    AgentTrigger,
    ContextAccess,
    ContextAPICapabilities,
    DeliveryContext,
    InlineContextPolicy,
)
from yarrow.protocol.runner.proxy import AgentRunAPIProxy


def run_context(run_id: str, text: str | None = None) -> AgentRunContext:
    """A message, and nothing of what went before."""
    return AgentRunContext(
        run_id=run_id,
        trigger=AgentTrigger(type="message.received", source="api"),
        event=AgentEventContext(event_id="msg-1", event_type="message.received", source="api"),
        input=AgentInput(text=text),
        delivery=DeliveryContext(surface="agui", supports_streaming=True),
        resources=AgentResources(),
        context=ContextAccess(
            inline_policy=InlineContextPolicy(mode="current_event"), available_apis=ContextAPICapabilities()
        ),
        state=AgentRunState(),
        runtime=AgentRuntimeContext(trace_id=run_id),
    )


class NoHost:
    """A transport that reaches no host: every call is refused."""

    async def call(self, action: str, _arguments: Mapping[str, Any]) -> dict[str, Any]:
        raise AgentAPIException("unauthorized", f"{action} is not allowed here")

    async def stream(self, action: str, _arguments: Mapping[str, Any]) -> AsyncGenerator[dict[str, Any]]:
        raise AgentAPIException("unauthorized", f"{action} is not allowed here")
        yield {}


def no_api(run_id: str) -> AgentRunAPIProxy:
    return AgentRunAPIProxy(run_id, NoHost())
