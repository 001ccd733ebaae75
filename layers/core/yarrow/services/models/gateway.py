"""The model gateway of one run.

Source: `agent-runner.md` §7.1, §8 (RNR-52, RNR-62, RNR-70).
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import AsyncExitStack, aclosing, asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING, Final

from yarrow.observability.metrics import Metric, emit
from yarrow.protocol.runner.api import (
    AgentAPIException,
    ModelChunk,
    ModelReply,
    ModelRequest,
    ModelUsage,
    RankedDocument,
    RerankRequest,
)
from yarrow.services.models import bedrock_rerank
from yarrow.services.models.attempts import Attempts
from yarrow.services.models.budget import Budget
from yarrow.services.models.call import ModelCall, ModelClient, ReadArtifact, chat_messages, options
from yarrow.services.models.scripted import ScriptedModel
from yarrow.services.models.user_tokens import Reservation, UserTokens
from yarrow.settings import settings

if TYPE_CHECKING:
    from yarrow.services.models.provider_model import ProviderModel

_RERANK: Final = "bedrock-rerank:"


class ModelGateway:
    """Calls the models in `settings.models`; without any, the scripted model and lexical ranking.

    `deadline_at` is in epoch seconds. Close it after the run. Methods raise AgentAPIException.
    """

    def __init__(
        self,
        *,
        deadline_at: float,
        budget: Budget,
        read_artifact: ReadArtifact,
        user_tokens: UserTokens | None = None,
    ) -> None:
        self._deadline_at = deadline_at
        self._budget = budget
        self._user_tokens = user_tokens
        self._read_artifact = read_artifact
        self._opened: dict[str, ModelClient] = {}
        self._unseeing: set[str] = set()
        """Models that refused pictures in tool results."""
        self._opening = asyncio.Lock()
        self._to_close = AsyncExitStack()

    async def invoke(self, request: ModelRequest) -> ModelReply:
        attempts = Attempts(self._deadline_at)
        model, call = await self._admitted(request)
        async with self._reserved(request.model_id, call) as reservation:
            while True:
                try:
                    reply = await model.invoke(call, attempts.seconds())
                except AgentAPIException as failure:
                    if (less := self._unseen(request.model_id, call, failure)) is None:
                        await attempts.wait_or_raise(failure)
                    call = less or call
                else:
                    return self._counted(reply, call, request.model_id, reservation)

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelChunk]:
        """Yield the answer in chunks, the last with the whole reply.

        There is no retry after the first chunk. Closing the generator ends the request.
        """
        attempts = Attempts(self._deadline_at)
        model, call = await self._admitted(request)
        async with self._reserved(request.model_id, call) as reservation:
            while True:
                delivered: list[str] = []
                whole = False
                try:
                    async with aclosing(model.stream(call, attempts.stream_limits())) as chunks:
                        async for chunk in chunks:
                            delivered.append(chunk.content or chunk.reasoning or "")
                            whole = chunk.reply is not None
                            reply = chunk.reply and self._counted(chunk.reply, call, request.model_id, reservation)
                            yield chunk if reply is None else ModelChunk(reply=reply)
                except AgentAPIException as failure:
                    if delivered:
                        raise
                    if (less := self._unseen(request.model_id, call, failure)) is None:
                        await attempts.wait_or_raise(failure)
                    call = less or call
                else:
                    return
                finally:
                    if delivered and not whole:
                        self._spend(call.estimate("".join(delivered)), request.model_id, reservation)

    async def rerank(self, request: RerankRequest) -> list[RankedDocument]:
        """Return the `top_k` most relevant documents, best first."""
        seconds = Attempts(self._deadline_at).seconds()
        model = _configured(request.model_id)
        if model is not None and not model.startswith(_RERANK):
            raise AgentAPIException("invalid_argument", "This model does not rank documents.")
        if model is not None:
            await self._budget.admit()
        rank = partial(bedrock_rerank.ranked, model.removeprefix(_RERANK)) if model else _rank_lexically()
        try:
            async with asyncio.timeout(seconds):
                return await asyncio.to_thread(rank, request)
        except TimeoutError:
            raise AgentAPIException("deadline_exceeded", "The model did not answer in time.") from None

    async def aclose(self) -> None:
        await self._to_close.aclose()

    async def _admitted(self, request: ModelRequest) -> tuple[ModelClient, ModelCall]:
        await self._budget.admit()
        name = _configured(request.model_id)
        if name is not None and name.startswith(_RERANK):
            raise AgentAPIException("invalid_argument", "This model only ranks documents.")
        call = ModelCall(
            messages=await chat_messages(request.messages, self._read_artifact),
            tools=request.tools or (),
            options=options(request.extra_args),
        )
        if request.model_id in self._unseeing:
            call = call.without_result_pictures()
        return await self._opened_model(name) if name else ScriptedModel(request.model_id), call

    def _unseen(self, model_id: str, call: ModelCall, failure: AgentAPIException) -> ModelCall | None:
        """Return the call without pictures in tool results, if the model may have refused these; None otherwise.

        The client that sent one cannot know the model. A refused picture in a user's message fails the run.
        """
        if failure.error.code != "invalid_argument" or not call.shows_results:
            return None
        self._unseeing.add(model_id)
        return call.without_result_pictures()

    async def _opened_model(self, name: str) -> ModelClient:
        async with self._opening:
            if name not in self._opened:
                # In a thread: importing pydantic_ai takes half a second or more.
                model = await asyncio.to_thread(_provided, name)
                self._opened[name] = await self._to_close.enter_async_context(model)
            return self._opened[name]

    @asynccontextmanager
    async def _reserved(self, model_id: str, call: ModelCall) -> AsyncIterator[Reservation]:
        """Reserve the user's tokens around a call; the scripted model is free."""
        if self._user_tokens is None or _configured(model_id) is None:
            yield Reservation(0)
            return
        async with self._user_tokens.reserved(call.expected()) as reservation:
            yield reservation

    def _counted(self, reply: ModelReply, call: ModelCall, model_id: str, reservation: Reservation) -> ModelReply:
        """Charge the run; usage is estimated if the provider gave none."""
        if reply.usage == ModelUsage():
            arguments = (tool_call.function.arguments for tool_call in reply.message.tool_calls)
            estimate = call.estimate("".join((str(reply.message.content or ""), *arguments)))
            reply = reply.model_copy(update={"usage": estimate})
        self._spend(reply.usage, model_id, reservation)
        return reply

    def _spend(self, usage: ModelUsage, model_id: str, reservation: Reservation) -> None:
        self._budget.spend(usage)
        reservation.spend(usage)
        if _configured(model_id) is not None:  # the scripted model is free
            tokens = usage.input_tokens + usage.output_tokens
            emit("a model has answered", {Metric.MODEL_TOKENS: tokens}, by={"model": model_id})


def _configured(model_id: str) -> str | None:
    """Return the provider's model, None if none are configured. Raises `not_found`."""
    if settings.models and model_id not in settings.models:
        raise AgentAPIException("not_found", "There is no such model.")
    return settings.models.get(model_id)


def _provided(name: str) -> "ProviderModel":
    from yarrow.services.models.provider_model import ProviderModel

    return ProviderModel(name)


def _rank_lexically() -> Callable[[RerankRequest], list[RankedDocument]]:
    from yarrow.services.models.lexical import ranked  # slow to import, rarely used

    return ranked
