"""Uploads the base64 elements of the input's contents, imports its client when called, and answers at once."""

from __future__ import annotations

import base64
import typing

from langbot_plugin.api.definition.components.runner.runner import Runner
from langbot_plugin.api.entities.builtin.provider.message import Message
from langbot_plugin.api.entities.builtin.runner import RunnerContext, RunnerResult


def _decode(value: str) -> bytes:
    return base64.b64decode(value.split(",", 1)[1] if value.startswith("data:") else value, validate=True)


class CozeLikeRunner(Runner):
    async def run(self, ctx: RunnerContext) -> typing.AsyncGenerator[RunnerResult, None]:
        import pkg.client

        client = pkg.client.Client(ctx.config["base-url"], ctx.config["user"])
        parts = [{"type": "text", "text": ctx.input.to_text()}]
        for picture in (content for content in ctx.input.contents if content.type == "image_base64"):
            file_id = await client.upload(_decode(picture.image_base64), "image.png")
            parts.append({"type": "image", "file_id": file_id})
        answer = await client.chat(parts)
        yield RunnerResult.message_completed(ctx.run_id, Message(role="assistant", content=answer))
        yield RunnerResult.run_completed(ctx.run_id)
