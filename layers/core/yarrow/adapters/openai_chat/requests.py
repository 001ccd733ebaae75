"""Requests as OpenAI's chat completions have them, made by `api.models`."""

import asyncio
import base64
import binascii
from collections.abc import AsyncGenerator, Iterable, Mapping
from contextlib import aclosing
from typing import Any

from yarrow.protocol.runner.api import AgentAPIException, ModelChunk
from yarrow.protocol.runner.proxy import AgentRunAPIProxy, Artifacts

Document = Mapping[str, Any]


def model_messages(messages: Iterable[Document], artifacts: Artifacts) -> list[dict[str, Any]]:
    """Return messages of OpenAI as `api.models` takes them.

    A picture that the run has read as an artifact is named by its id: requests have at most 1 MiB.
    """
    return [_message(message, artifacts) for message in messages]


def _message(message: Document, artifacts: Artifacts) -> dict[str, Any]:
    members = {name: value for name, value in message.items() if value is not None}
    if members.get("role") == "developer":
        members["role"] = "system"
    if members.get("role") != "tool":
        members.pop("name", None)  # which the host would write before the text
    if isinstance(members.get("content"), list):
        members["content"] = [_part(part, artifacts) for part in members["content"]]
    return members


def _part(part: Any, artifacts: Artifacts) -> Any:
    match part:
        case {"type": "image_url", "image_url": {"url": str(url)}}:
            try:
                artifact_id = artifacts.id_of(base64.b64decode(url.partition(";base64,")[2], validate=True))
            except binascii.Error:
                return part
            return part if artifact_id is None else {"type": "artifact", "artifact_id": artifact_id}
    return part


async def answer(api: AgentRunAPIProxy, **request: Any) -> AsyncGenerator[ModelChunk]:
    """Stream a model's answer; a request that the run makes too soon waits. Raises AgentAPIException.

    `request` has the arguments of `api.models.stream`.
    """
    while True:
        try:
            async with aclosing(api.models.stream(**request)) as chunks:
                async for chunk in chunks:
                    yield chunk
        except AgentAPIException as error:
            if (wait := error.details.get("retry_after")) is None:  # of the host's own rates, before it asks
                raise
            await asyncio.sleep(wait)
        else:
            return
