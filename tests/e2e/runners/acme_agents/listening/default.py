"""Says what its user adds to the run, as a plugin's author writes it with the SDK."""

from __future__ import annotations

import asyncio
import typing
from pathlib import Path

from langbot_plugin.api.definition.components.runner.runner import Runner
from langbot_plugin.api.entities.builtin.provider.message import Message
from langbot_plugin.api.entities.builtin.runner import RunnerContext, RunnerResult


class ListeningRunner(Runner):
    """`config.next_step` is a pipe: it goes on when a test writes to it."""

    async def run(self, ctx: RunnerContext) -> typing.AsyncGenerator[RunnerResult, None]:
        yield RunnerResult.message_completed(ctx.run_id, Message(role="assistant", content="listening"))
        await asyncio.to_thread(Path(ctx.config["next_step"]).read_bytes)
        pulled = await ctx.steering_pull()
        heard = ", ".join(item.input.text or "" for item in pulled.items)
        yield RunnerResult.message_completed(ctx.run_id, Message(role="assistant", content=f"heard {heard}"))
        await asyncio.to_thread(Path(ctx.config["next_step"]).read_bytes)
        yield RunnerResult.run_completed(ctx.run_id)
