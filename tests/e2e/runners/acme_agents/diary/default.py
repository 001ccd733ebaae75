"""A runner as the author of a LangBot plugin writes it: of this host it knows nothing."""

import asyncio
from collections.abc import AsyncGenerator

from langbot_plugin.api.definition.components.runner.runner import Runner
from langbot_plugin.api.entities.builtin.provider.message import Message, MessageChunk
from langbot_plugin.api.entities.builtin.runner import RunnerContext, RunnerResult


class DiaryRunner(Runner):
    """Counts its runs, tells what was said before, asks for the time, and lets a model answer; sends snapshots."""

    async def run(self, ctx: RunnerContext) -> AsyncGenerator[RunnerResult, None]:
        """Yield its results."""
        visible = ""

        def snapshot(new: str) -> RunnerResult:
            nonlocal visible
            visible += new
            return RunnerResult.message_delta(ctx.run_id, MessageChunk(role="assistant", content=visible))

        known = (await ctx.state_get("conversation", "external.runs"))["value"] or 0
        await ctx.state_set("conversation", "external.runs", known + 1)
        yield snapshot(f"Run {known + 1}. ")
        page = await ctx.history_page(limit=10)
        yield snapshot(f"Earlier: {[item.content for item in page.items if item.role == 'user'][:-1]}. ")
        if ctx.input.to_text() == "wait":
            await asyncio.Event().wait()
        now = await ctx.call_tool("get_current_time", {"time_zone": "UTC"})
        yield snapshot(f"Zone: {now['time_zone']}. ")
        messages = [Message(role="user", content=ctx.input.contents)]
        async for chunk in ctx.api.invoke_llm_stream(ctx.resources.models[0].model_id, messages):
            yield snapshot(chunk.content or "")
        yield RunnerResult.run_completed(ctx.run_id)
