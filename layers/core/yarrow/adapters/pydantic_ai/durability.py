"""Requests to models and calls of tools of a Pydantic AI agent as steps of its run.

Source: the seams that Pydantic AI's own durability capabilities use (`get_wrapper_model`, `get_wrapper_toolset`). A
request or call is known by what it is made with: a rerun that comes with other messages or arguments makes a new one.
"""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any, Final

from pydantic import TypeAdapter
from pydantic_ai import RunContext
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.exceptions import ModelAPIError
from pydantic_ai.messages import ModelMessage, ModelMessagesTypeAdapter, ModelResponse
from pydantic_ai.models import CompletedStreamedResponse, Model, ModelRequestParameters, StreamedResponse
from pydantic_ai.models.wrapper import WrapperModel
from pydantic_ai.settings import ModelSettings
from pydantic_ai.toolsets import AbstractToolset, ToolsetTool, WrapperToolset

from yarrow.adapters.pydantic_ai import tool_results
from yarrow.protocol.runner.proxy import AgentRunAPIProxy, StepFailedError
from yarrow.protocol.runner.vocabulary import Retry

_NAME_CHARACTERS: Final = 200
_OF_A_RUN: Final = frozenset({"timestamp", "run_id", "conversation_id", "metadata"})
"""Members of messages that differ in each run and that no model reads."""

_PARAMETERS: Final = TypeAdapter(ModelRequestParameters)


class DurableSteps(AbstractCapability[Any]):
    """Makes each request and call of one run a step; `retry` by tool."""

    def __init__(self, api: AgentRunAPIProxy, retry: Mapping[str, Retry]) -> None:
        self._api = api
        self._retry = retry
        self.shown: dict[str, list[dict[str, Any]]] = {}
        """The results that have files, by call id, as the parts of AG-UI's tool messages."""

    def get_wrapper_model(self, model: Model) -> Model:
        return _DurableModel(model, self._api)

    def get_wrapper_toolset(self, toolset: AbstractToolset[Any]) -> AbstractToolset[Any]:
        return _DurableToolset(toolset, self._api, self._retry, self.shown)


@dataclass
class _DurableToolset(WrapperToolset[Any]):
    api: AgentRunAPIProxy
    retry: Mapping[str, Retry]
    shown: dict[str, list[dict[str, Any]]]

    async def call_tool(
        self, name: str, tool_args: dict[str, Any], ctx: RunContext[Any], tool: ToolsetTool[Any]
    ) -> Any:
        made: list[Any] = []

        async def call() -> Any:
            outcome, document = await tool_results.outcome_of(self.wrapped.call_tool(name, tool_args, ctx, tool))
            made.append(outcome)
            return document

        arguments = [ctx.tool_call_id, tool_results.document(tool_args)]
        stored = await self.api.step(
            f"tool {name}"[:_NAME_CHARACTERS], call, retry=self.retry.get(name, "safe"), arguments=arguments
        )
        value = made[0].unwrap() if made else tool_results.loaded(stored).unwrap()
        if ctx.tool_call_id is not None and (parts := tool_results.shown(value)) is not None:
            self.shown[ctx.tool_call_id] = parts
        return value


class _DurableModel(WrapperModel):
    def __init__(self, wrapped: Model, api: AgentRunAPIProxy) -> None:
        super().__init__(wrapped)
        self._api = api

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        async def ask() -> Any:
            return _dumped(await self.wrapped.request(messages, model_settings, model_request_parameters))

        return _loaded(await self._step(ask, messages, model_settings, model_request_parameters))

    @asynccontextmanager
    async def request_stream(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
        run_context: RunContext[Any] | None = None,
    ) -> AsyncGenerator[StreamedResponse]:
        """Stream the response, which is stored when the agent has read it, or the one that an earlier worker stored."""
        opened: asyncio.Future[StreamedResponse] = asyncio.get_running_loop().create_future()
        was_read = asyncio.Event()

        async def ask() -> Any:
            async with self.wrapped.request_stream(
                messages, model_settings, model_request_parameters, run_context
            ) as stream:
                opened.set_result(stream)
                await was_read.wait()
                return _dumped(stream.get())

        step = asyncio.create_task(self._step(ask, messages, model_settings, model_request_parameters))
        try:
            await asyncio.wait({opened, step}, return_when=asyncio.FIRST_COMPLETED)
            if opened.done():
                yield opened.result()
                was_read.set()
                await step
            else:
                yield CompletedStreamedResponse(
                    _loaded(await step), model_request_parameters=model_request_parameters, replay_events=True
                )
        finally:
            step.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await step

    async def _step(
        self,
        ask: Any,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> Any:
        arguments = [
            self.model_name,
            _comparable(ModelMessagesTypeAdapter.dump_python(messages, mode="json")),
            tool_results.document(model_settings),
            _PARAMETERS.dump_python(model_request_parameters, mode="json", fallback=str),
        ]
        try:
            return await self._api.step(f"model {self.model_name}"[:_NAME_CHARACTERS], ask, arguments=arguments)
        except StepFailedError as error:
            if error.__cause__ is not None:
                raise error.__cause__ from None
            raise ModelAPIError(self.model_name, str(error)) from error


def _dumped(response: ModelResponse) -> Any:
    return ModelMessagesTypeAdapter.dump_python([response], mode="json")[0]


def _loaded(stored: Any) -> ModelResponse:
    (response,) = ModelMessagesTypeAdapter.validate_python([stored])
    if not isinstance(response, ModelResponse):
        raise TypeError("a stored message is not a response")
    return response


def _comparable(value: Any) -> Any:
    """Return JSON without the members that differ in each run."""
    if isinstance(value, list):
        return [_comparable(item) for item in value]
    if isinstance(value, dict):
        return {name: _comparable(item) for name, item in value.items() if name not in _OF_A_RUN}
    return value
