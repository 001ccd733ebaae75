"""Gives a model the contents as they came, and streams its answer."""

from __future__ import annotations

import typing

from langbot_plugin.api.definition.components.runner.runner import Runner
from langbot_plugin.api.entities.builtin.provider.message import MessageChunk
from langbot_plugin.api.entities.builtin.runner import RunnerContext, RunnerResult
from pkg.loop import Loop


class ModelRunner(Runner):
    async def run(self, ctx: RunnerContext) -> typing.AsyncGenerator[RunnerResult, None]:
        reply = ""
        async for chunk in Loop(ctx).chunks():
            reply += chunk.content or ""
            yield RunnerResult.message_delta(ctx.run_id, MessageChunk(role="assistant", content=reply))
        yield RunnerResult.run_completed(ctx.run_id)
