"""`models.*`: checks model and artifacts, then calls the gateway (RNR-52)."""

from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from typing import Any, Final, Literal

from yarrow.agents.grants import RunGrant
from yarrow.protocol.runner.api import ModelChunk, ModelReply, ModelRequest, RerankRequest
from yarrow.services.api import access, artifacts
from yarrow.services.api.errors import invalid_argument
from yarrow.services.api.services import Action, Services, StreamAction, safe


def _check(
    operation: Literal["invoke", "stream", "rerank"], model_type: Literal["llm", "rerank"]
) -> Callable[[RunGrant, ModelRequest | RerankRequest], None]:
    def check(grant: RunGrant, request: ModelRequest | RerankRequest) -> None:
        access.permit(grant, "models", operation)
        model = access.visible(grant.resources.models, "model_id", request.model_id, operation)
        if model.model_type != model_type:
            raise invalid_argument("model_id", f"is not a model of type {model_type}")
        if isinstance(request, ModelRequest):
            for artifact_id in _artifact_ids(request):
                artifacts.check_readable(grant, artifact_id)

    return check


def _artifact_ids(request: ModelRequest) -> list[Any]:
    """Return the ids of artifacts in the messages, which the run must be allowed to read."""
    parts = [part for message in request.messages if isinstance(message.content, tuple) for part in message.content]
    return [part.get("artifact_id") for part in parts if part.get("type") == "artifact"]


async def _invoke(_grant: RunGrant, services: Services, request: ModelRequest) -> ModelReply:
    await access.check_active(services)
    return await services.models.invoke(request)


async def _stream(_grant: RunGrant, services: Services, request: ModelRequest) -> AsyncGenerator[ModelChunk]:
    await access.check_active(services)
    async with aclosing(services.models.stream(request)) as chunks:
        async for chunk in chunks:
            yield chunk


async def _rerank(_grant: RunGrant, services: Services, request: RerankRequest) -> dict[str, Any]:
    await access.check_active(services)
    return {"results": await services.models.rerank(request)}


ACTIONS: Final[Mapping[str, Action[Any]]] = {
    "models.invoke": Action(_check("invoke", "llm"), _invoke, safe),
    "models.rerank": Action(_check("rerank", "rerank"), _rerank, safe),
}
STREAMS: Final[Mapping[str, StreamAction[Any]]] = {"models.stream": StreamAction(_check("stream", "llm"), _stream)}
