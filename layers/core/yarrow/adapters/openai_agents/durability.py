"""Requests to models and calls of tools of OpenAI agents as steps of the run that is under way.

Source: the SDK's `ModelProvider`, `Model` and `FunctionTool.on_invoke_tool`. Models and tools that agents hold are
wrapped where they are, once a process: without a run under way they act as before. A request or call is known by what
it is made with: a rerun that comes with other messages or arguments makes a new one.
"""

import copy
import inspect
import json
from collections import Counter, defaultdict
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from contextvars import ContextVar, copy_context
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from agents import (
    Agent,
    FunctionTool,
    Model,
    ModelProvider,
    ModelResponse,
    ModelRetryAdvice,
    ModelRetryAdviceRequest,
    RunHooks,
    Usage,
)
from agents.tool_context import ToolContext
from agents.util._approvals import evaluate_function_tool_approval
from openai.types.responses import Response, ResponseCompletedEvent, ResponseOutputItemDoneEvent, ResponseUsage
from pydantic import BaseModel, TypeAdapter
from pydantic_core import to_jsonable_python

from yarrow.adapters.openai_agents import tool_outputs
from yarrow.protocol.runner.own_steps import BegunStep
from yarrow.protocol.runner.proxy import AgentRunAPIProxy, StepFailedError
from yarrow.protocol.runner.vocabulary import Retry

_NAME_CHARACTERS: Final = 200

_REQUEST: Final = inspect.signature(Model.stream_response)
_USAGE: Final = TypeAdapter(Usage)

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Steps:
    """What the models and tools of one request of a run need: its API, `retry` by tool, and `usage` by model."""

    api: AgentRunAPIProxy
    retry: Mapping[str, Retry]
    usage: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))

    def during(self, begin: Callable[[], T]) -> T:
        """Call `begin`: what it and the tasks that it starts do are steps of this run."""
        context = copy_context()
        context.run(_STEPS.set, self)
        return context.run(begin)

    def count(self, model: str, usage: Usage | ResponseUsage | None) -> None:
        if usage is None:
            return
        counts = {
            "inputTokens": usage.input_tokens,
            "outputTokens": usage.output_tokens,
            "cachedInputTokens": getattr(usage.input_tokens_details, "cached_tokens", None),
            "reasoningTokens": getattr(usage.output_tokens_details, "reasoning_tokens", None),
        }
        self.usage[model].update({name: count for name, count in counts.items() if count is not None})


_STEPS: Final[ContextVar[Steps | None]] = ContextVar("steps", default=None)


class DurableAgents(RunHooks[Any]):
    """Makes each agent durable before its first turn, also one that a handoff has just made."""

    async def on_agent_start(self, context: Any, agent: Agent[Any]) -> None:  # noqa: ARG002 (the SDK's signature)
        make_durable(agent, set())


def make_durable(agent: Agent[Any], seen: set[int]) -> None:
    """Wrap the model and tools of an agent, and those of agents that are its tools or to which it hands over."""
    if id(agent) in seen:
        return
    seen.add(id(agent))
    if isinstance(agent.model, Model) and not isinstance(agent.model, DurableModel):
        agent.model = DurableModel(agent.model)
    for tool in agent.tools:
        if isinstance(tool, FunctionTool):
            if isinstance(tool._agent_instance, Agent):
                make_durable(tool._agent_instance, seen)  # its run makes steps of its own, and may ask for approvals
            elif not isinstance(tool.on_invoke_tool, _DurableCall):
                _wrap(tool)
    for target in agent.handoffs:
        if isinstance(target, Agent):
            make_durable(target, seen)


def _wrap(tool: FunctionTool) -> None:
    original = copy.copy(tool)
    tool.on_invoke_tool = _DurableCall(tool)
    if callable(original.needs_approval):  # whose arguments the SDK checks only for invokers that it knows

        async def needs_approval(context: Any, parameters: dict[str, Any], call_id: str) -> bool:
            approval = await evaluate_function_tool_approval(original, context, json.dumps(parameters), call_id)
            return bool(approval.outcome != "invoke")

        tool.needs_approval = needs_approval


class _DurableCall:
    """The invoker of a tool. What it tells the model when it fails is its result."""

    def __init__(self, tool: FunctionTool) -> None:
        self._call = tool.on_invoke_tool
        self._name = tool.name
        self._is_typed = tool.output_json_schema is not None

    async def __call__(self, context: ToolContext[Any], arguments: str) -> Any:
        steps = _STEPS.get()
        if steps is None:
            return await self._call(context, arguments)
        made: list[Any] = []

        async def call() -> Any:
            made.append(await self._call(context, arguments))
            return tool_outputs.document(made[0], is_typed=self._is_typed)

        name, retry = f"tool {self._name}"[:_NAME_CHARACTERS], steps.retry.get(self._name, "safe")
        try:
            stored = await steps.api.step(name, call, retry=retry, arguments=[context.tool_call_id, arguments])
        except StepFailedError as error:
            if error.__cause__ is not None:
                raise error.__cause__ from None
            raise
        return made[0] if made else tool_outputs.loaded(stored)


class DurableProvider(ModelProvider):
    """Provides the models of another provider."""

    def __init__(self, wrapped: ModelProvider) -> None:
        self._wrapped = wrapped

    def get_model(self, model_name: str | None) -> Model:
        return DurableModel(self._wrapped.get_model(model_name))

    async def aclose(self) -> None:
        await self._wrapped.aclose()


class DurableModel(Model):
    """A model whose responses are stored. A request that fails is not: a rerun makes it again."""

    def __init__(self, wrapped: Model) -> None:
        self._wrapped = wrapped
        self._name = str(getattr(wrapped, "model", type(wrapped).__name__))

    def __getattr__(self, name: str) -> Any:
        """Return what the SDK looks for in some models only."""
        if name.startswith("__") or name == "_wrapped":  # of a copy that is being made
            raise AttributeError(name)
        return getattr(self._wrapped, name)

    async def get_response(self, *request: Any, **named: Any) -> ModelResponse:
        steps = _STEPS.get()
        if steps is None:
            return await self._wrapped.get_response(*request, **named)
        step = await self._begin(steps, request, named)
        if step.has_ended:
            stored = step.value
            output = Response.construct(output=stored["output"]).output
            response = ModelResponse(output, _USAGE.validate_python(stored["usage"]), stored["response_id"])
        else:
            try:
                response = await self._wrapped.get_response(*request, **named)
            except BaseException:
                step.leave()
                raise
            items, usage = [_dumped(item) for item in response.output], _USAGE.dump_python(response.usage, mode="json")
            await step.end({"output": items, "usage": usage, "response_id": response.response_id})
        steps.count(self._name, response.usage)
        return response

    async def stream_response(self, *request: Any, **named: Any) -> AsyncGenerator[Any]:
        """Stream the response, which is stored before its last event, or only the last event of a stored one."""
        steps = _STEPS.get()
        step = None if steps is None else await self._begin(steps, request, named)
        if steps is not None and step is not None and step.has_ended:
            completed = ResponseCompletedEvent.construct(**step.value)  # as the client reads a provider's
            steps.count(self._name, completed.response.usage)
            yield completed
            return
        try:
            async with aclosing(self._wrapped.stream_response(*request, **named)) as events:
                items = []
                async for event in events:
                    if isinstance(event, ResponseOutputItemDoneEvent):
                        items.append(event.item)
                    elif isinstance(event, ResponseCompletedEvent) and steps is not None and step is not None:
                        event.response.output = event.response.output or items  # as the SDK does later
                        steps.count(self._name, event.response.usage)
                        storing, step = step, None
                        await storing.end(_dumped(event))
                    yield event
        finally:
            if step is not None:
                step.leave()

    async def _begin(self, steps: Steps, request: tuple[Any, ...], named: Mapping[str, Any]) -> BegunStep:
        made_with = dict(_REQUEST.bind(self._wrapped, *request, **named).arguments)
        output = made_with["output_schema"]
        made_with |= {
            "self": self._name,
            "model_settings": made_with["model_settings"].to_json_dict(),
            "tools": [
                [tool.name, *([tool.params_json_schema] if isinstance(tool, FunctionTool) else [])]
                for tool in made_with["tools"]
            ],
            "output_schema": None if output is None or output.is_plain_text() else output.json_schema(),
            "handoffs": [[handoff.tool_name, handoff.input_json_schema] for handoff in made_with["handoffs"]],
            "tracing": None,
        }
        known_by = to_jsonable_python(made_with, bytes_mode="base64", fallback=str)
        return await steps.api.begin_step(f"model {self._name}"[:_NAME_CHARACTERS], arguments=known_by)

    def get_retry_advice(self, request: ModelRetryAdviceRequest) -> ModelRetryAdvice | None:
        return self._wrapped.get_retry_advice(request)

    async def close(self) -> None:
        await self._wrapped.close()

    async def _cleanup_on_run_end(self, owner: object) -> None:
        await self._wrapped._cleanup_on_run_end(owner)


def _dumped(model: BaseModel) -> dict[str, Any]:
    document: dict[str, Any] = model.model_dump(mode="json", by_alias=True, exclude_unset=True, warnings=False)
    return document
