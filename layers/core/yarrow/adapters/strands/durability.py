"""Requests to models and calls of tools of a Strands agent as steps of its run.

Source: Strands' middleware of `InvokeModelStage` and `ExecuteToolStage`. A request or call is known by what it is made
with: a rerun that comes with other messages or arguments makes a new one.
"""

from collections import Counter, defaultdict
from collections.abc import AsyncGenerator, Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from weakref import WeakKeyDictionary

from pydantic_core import to_jsonable_python
from strands import Agent
from strands.middleware import (
    ExecuteToolContext,
    ExecuteToolStage,
    InvokeModelContext,
    InvokeModelStage,
    ModelStopReason,
    ToolResultEvent,
)
from strands.types.session import decode_bytes_values, encode_bytes_values

from yarrow.protocol.runner.own_steps import BegunStep
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.protocol.runner.vocabulary import Retry

OFFERED: Final = "yarrow:offered"
"""The name of interrupts at calls that the client or the host makes."""

_NAME_CHARACTERS: Final = 200
_USAGE: Final = {
    "inputTokens": "inputTokens",
    "outputTokens": "outputTokens",
    "totalTokens": "totalTokens",
    "cacheReadInputTokens": "cachedInputTokens",
    "cacheWriteInputTokens": "cacheWriteInputTokens",
}
"""Strands' names of counts, and AG-UI's."""

Events = AsyncGenerator[Any]


@dataclass(frozen=True, slots=True)
class Steps:
    """What an agent needs for one request of a run: its API, `retry` by tool, the tools `offered`, `usage` by model."""

    api: AgentRunAPIProxy
    retry: Mapping[str, Retry]
    offered: Collection[str]
    usage: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))

    def count(self, model: str, usage: Mapping[str, int]) -> None:
        self.usage[model].update({name: usage[own] for own, name in _USAGE.items() if own in usage})


def attach(agent: Agent, steps: Steps | None) -> None:
    """Make what an agent does, and what agents do that are its tools, steps of a run; None ends that."""
    if (durable := _ATTACHED.get(agent)) is None:
        durable = _ATTACHED[agent] = _Durable()
        agent.add_middleware(InvokeModelStage, durable.ask)
        agent.add_middleware(ExecuteToolStage, durable.call)
    if durable.steps is not steps:  # which agents may reach that are tools of each other
        durable.steps = steps
        for tool in agent.tool_registry.registry.values():
            if isinstance(nested := getattr(tool, "agent", None), Agent):
                attach(nested, steps)


class _Durable:
    """The middleware of one agent, which runs for one run at a time."""

    def __init__(self) -> None:
        self.steps: Steps | None = None

    async def ask(self, context: InvokeModelContext, proceed: Callable[[InvokeModelContext], Events]) -> Events:
        """Stream the model's response, which is stored before its end, or only the end of a stored one."""
        model = str((context.model.get_config() or {}).get("model_id") or type(context.model).__name__)
        step: BegunStep | None = None
        if (steps := self.steps) is not None:
            step = await steps.api.begin_step(f"model {model}"[:_NAME_CHARACTERS], arguments=_known_by(model, context))
            if step.has_ended:
                stored = decode_bytes_values(step.value)
                steps.count(model, stored["usage"])
                yield ModelStopReason(stored["stop_reason"], stored["message"], stored["usage"], {"latencyMs": 0})
                return
        try:
            async for event in proceed(context):
                if isinstance(event, ModelStopReason) and steps is not None:
                    steps.count(model, event.usage)
                    if step is not None and event.stop_reason != "cancelled":
                        ended, step = step, None
                        await ended.end(_ended(event))
                yield event
        finally:
            if step is not None:
                step.leave()

    async def call(self, context: ExecuteToolContext, proceed: Callable[[ExecuteToolContext], Events]) -> Events:
        """Call a tool, whose result is stored even if it failed, or yield a stored result.

        What a call changes in the agent's state and in that of the request is a part of its result. Calls of offered
        tools interrupt the agent.
        """
        steps, use = self.steps, context.tool_use
        if steps is not None and use["name"] in steps.offered:
            context.interrupt(OFFERED)
        if steps is None or getattr(context.tool, "tool_type", None) == "structured_output":
            async for event in proceed(context):
                yield event
            return
        step: BegunStep | None = await steps.api.begin_step(
            f"tool {use['name']}"[:_NAME_CHARACTERS],
            retry=steps.retry.get(use["name"], "safe"),
            arguments=[use["toolUseId"], _json(use["input"])],
        )
        if step is not None and step.has_ended:
            yield ToolResultEvent(_replayed(context, step.value))
            return
        before, result = _states(context), None
        try:
            async for event in proceed(context):
                if isinstance(event, ToolResultEvent):
                    result = event
                else:
                    yield event
            if result is not None and step is not None:
                ended, step = step, None
                changed = [_changes(*states) for states in zip(before, _states(context), strict=True)]
                await ended.end({"result": _json(result.tool_result), "changed": changed})
                yield result
        finally:
            if step is not None:
                step.leave()


_ATTACHED: Final[WeakKeyDictionary[Agent, _Durable]] = WeakKeyDictionary()


def _known_by(model: str, context: InvokeModelContext) -> Any:
    """Return what a request is known by. Results of calls are put in order: they come as the calls end."""
    messages = [
        {
            "role": message["role"],
            "content": sorted(message["content"], key=lambda block: block.get("toolResult", {}).get("toolUseId", "")),
        }
        for message in context.messages
    ]
    structured = context.structured_output_model
    named = None if structured is None else structured.__name__
    return _json([model, messages, context.system_prompt, context.tool_specs, context.tool_choice, named])


def _ended(event: ModelStopReason) -> Any:
    message = {member: event.message[member] for member in ("role", "content")}
    return _json({"stop_reason": event.stop_reason, "message": message, "usage": event.usage})


def _json(value: Any) -> Any:
    return to_jsonable_python(encode_bytes_values(value), fallback=str)


def _states(context: ExecuteToolContext) -> tuple[dict[str, Any], ...]:
    """Return the agent's state, that of the request, and whether the agent is to stop after its calls."""
    agent = context.agent
    stop = {"message": agent._cancel_message} if getattr(agent, "_deferred_cancel", False) else {}
    return agent.state.get(), dict(context.invocation_state.get("request_state") or {}), stop


def _changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    changed = {name: _json(value) for name, value in after.items() if name not in before or before[name] != value}
    return {"set": changed, "deleted": [name for name in before if name not in after]}


def _replayed(context: ExecuteToolContext, stored: Any) -> Any:
    """Change the states as a stored call did, and return its result. One that is treated as done has none."""
    if stored is None:
        return {"toolUseId": context.tool_use["toolUseId"], "status": "success", "content": [{"text": "None"}]}
    of_agent, of_request, stop = stored["changed"]
    for name, value in of_agent["set"].items():
        context.agent.state.set(name, value)
    for name in of_agent["deleted"]:
        context.agent.state.delete(name)
    request = context.invocation_state.setdefault("request_state", {})
    request.update(of_request["set"])
    for name in of_request["deleted"]:
        request.pop(name, None)
    if stop["set"]:
        context.agent.cancel(message=stop["set"]["message"], after_current_tools=True)
    return decode_bytes_values(stored["result"])
