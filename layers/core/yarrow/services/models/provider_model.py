"""A provider's model through `pydantic_ai.direct`; slow to import."""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from types import TracebackType
from typing import Any, Final, Self, cast

from botocore.exceptions import BotoCoreError
from pydantic_ai.direct import model_request, model_request_stream
from pydantic_ai.exceptions import ModelAPIError
from pydantic_ai.messages import ModelResponseStreamEvent
from pydantic_ai.models import StreamedResponse, infer_model
from pydantic_ai.profiles import merge_profile
from pydantic_ai.profiles.openai import OpenAIModelProfile
from pydantic_ai.providers import Provider, infer_provider
from pydantic_ai.settings import ModelSettings

from yarrow.observability.logs import logger
from yarrow.protocol.runner.api import AgentAPIException, ModelChunk, ModelReply
from yarrow.services.models import conversion, failures
from yarrow.services.models.call import ModelCall, StreamLimits
from yarrow.services.models.tool_names import ToolNames
from yarrow.store import clients

_UNFINISHED: Final[Mapping[str, str]] = {
    "length": "The model's answer reached its length limit.",
    "content_filter": "The model's provider withheld the answer.",
    "refusal": "The model refused to answer.",
}

_STRICT = OpenAIModelProfile(openai_chat_streaming_requires_finish_reason=True)
"""A stream without a finish reason is truncated; pydantic_ai would accept it."""


class ProviderModel:
    """A model named PROVIDER:MODEL, such as `bedrock:amazon.nova-lite-v1:0`.

    `openai-chat:` is for servers with chat completions only. Keys and URLs come from the provider client's own
    variables. `bedrock:MODEL@ARN` calls an inference profile, provisioned or imported model; MODEL gives its family.

    A context manager that keeps connections open. Raises AgentAPIException (RNR-62).
    """

    def __init__(self, name: str) -> None:
        self._name = name
        name, self._called_by = _split_arn(name)
        try:
            self._model = infer_model(name, _provider)
            self._model.profile = merge_profile(self._model.profile, _STRICT)
        except (BotoCoreError, ImportError, RuntimeError, ValueError):
            logger.warning("a model is misconfigured", extra={"model": name}, exc_info=True)
            raise AgentAPIException("runtime_error", "The model is misconfigured.") from None

    async def __aenter__(self) -> Self:
        await self._model.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._model.__aexit__(kind, error, trace)

    async def invoke(self, call: ModelCall, seconds: float) -> ModelReply:
        names = ToolNames.of(call)
        call = self._seen(names.to_provider(call))
        with failures.public(self._name):
            response = await model_request(
                self._model,
                conversion.history(call.messages, self._name),
                model_settings=self._settings(call, seconds),
                model_request_parameters=conversion.parameters(call),
            )
            if response.finish_reason == "error":
                raise ModelAPIError(self._name, "the model could not finish the answer")
            return names.from_provider(_checked(conversion.reply(response, self._name), call))

    async def stream(self, call: ModelCall, limits: StreamLimits) -> AsyncGenerator[ModelChunk]:
        """Yield the answer in chunks; closing the generator closes the connection. Only silences are limited."""
        names = ToolNames.of(call)
        call = self._seen(names.to_provider(call))
        with failures.public(self._name):
            begun = model_request_stream(
                self._model,
                conversion.history(call.messages, self._name),
                model_settings=self._settings(call, limits.whole),
                model_request_parameters=conversion.parameters(call),
            )
            async with AsyncExitStack() as opened:
                async with _answering(limits.first):
                    answer = await opened.enter_async_context(begun)
                pieces = conversion.Pieces(
                    by_tool=answer.model_request_parameters.output_mode == "tool",
                    model=self._name,
                    parts=lambda: answer.get().parts,
                )
                async for event in _events(answer, limits):
                    for piece in pieces.of(event):
                        yield piece
            if answer.finish_reason in (None, "error"):
                raise ModelAPIError(self._name, "the stream ended without a finish reason")
            for chunk in pieces.last(names.from_provider(_checked(conversion.reply(answer.get(), self._name), call))):
                yield chunk

    def _seen(self, call: ModelCall) -> ModelCall:
        """Return the call, without pictures in tool results for a model that is known to take none."""
        return call if self._model.profile.get("supports_image_input", True) else call.without_result_pictures()

    def _settings(self, call: ModelCall, seconds: float) -> ModelSettings:
        return cast("ModelSettings", {**conversion.settings(call, self._model, self._name, seconds), **self._called_by})


@asynccontextmanager
async def _answering(seconds: float) -> AsyncIterator[None]:
    try:
        async with asyncio.timeout(seconds):
            yield
    except TimeoutError:
        raise AgentAPIException("deadline_exceeded", "The model did not answer in time.") from None


async def _events(answer: StreamedResponse, limits: StreamLimits) -> AsyncIterator[ModelResponseStreamEvent]:
    """Yield events within the limits. Events without text count too: the arguments of a call may take longest."""
    events, seconds = aiter(answer), limits.first
    while True:
        async with _answering(seconds):
            event = await anext(events, None)
        if event is None:
            return
        yield event
        seconds = limits.silence


def _split_arn(name: str) -> tuple[str, dict[str, str]]:
    """Return the name without its ARN, and the pydantic_ai setting with the ARN."""
    model, at, arn = name.partition("@arn:")
    if not at or not name.startswith("bedrock:"):
        return name, {}
    return model, {"bedrock_inference_profile": f"arn:{arn}"}


def _provider(name: str) -> Provider[Any]:
    if name != "bedrock":
        return infer_provider(name)
    from pydantic_ai.providers.bedrock import BedrockProvider

    return BedrockProvider(bedrock_client=clients.bedrock_runtime())


def _checked(reply: ModelReply, call: ModelCall) -> ModelReply:
    """Check that a structured answer is an object or has tool calls."""
    if call.options.response_schema is None or reply.message.tool_calls:
        return reply
    if reason := _UNFINISHED.get(reply.finish_reason):
        raise AgentAPIException("runtime_error", reason)
    try:
        is_object = isinstance(json.loads(str(reply.message.content)), dict)
    except ValueError:
        is_object = False
    if not is_object:
        raise AgentAPIException("runtime_error", "The model's answer does not match the requested schema.")
    return reply
