"""Uploads the `content` of the input's attachments, and streams all that was said so far."""

from __future__ import annotations

import base64
import typing

from langbot_plugin.api.definition.components.runner.runner import Runner
from langbot_plugin.api.entities.builtin.provider.message import MessageChunk
from langbot_plugin.api.entities.builtin.runner import RunnerContext, RunnerResult
from pkg.client import Client


class DefaultRunner(Runner):
    async def run(self, ctx: RunnerContext) -> typing.AsyncGenerator[RunnerResult, None]:
        client = Client(ctx.config["base-url"])
        files = []
        for attachment in ctx.input.attachments:
            if not attachment.content:
                yield RunnerResult.run_failed(ctx.run_id, error="no uploadable content", code="input_error")
                return
            data = base64.b64decode(attachment.content.partition(",")[2], validate=True)
            file_id = await client.upload(attachment.name or "file", data, attachment.mime_type, ctx.config["user"])
            files.append({"type": attachment.type, "transfer_method": "local_file", "upload_file_id": file_id})
        reply = ""
        async for piece in client.chat(ctx.input.to_text(), files):
            reply += piece
            yield RunnerResult.message_delta(ctx.run_id, MessageChunk(role="assistant", content=reply))
        yield RunnerResult.run_completed(ctx.run_id)
