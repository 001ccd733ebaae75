"""A plugin as its author writes it: of steps it knows nothing."""

from collections.abc import AsyncGenerator

from langbot_plugin.api.definition.components.runner.runner import Runner
from langbot_plugin.api.entities.builtin.provider.message import Message, MessageChunk
from langbot_plugin.api.entities.builtin.runner import RunnerContext, RunnerResult


class Keeper(Runner):
    """Counts its runs, uses the counting tool, lets a model answer, and uses the tool again."""

    async def run(self, ctx: RunnerContext) -> AsyncGenerator[RunnerResult, None]:
        """Its results."""
        visible = ""

        def snapshot(new: str) -> RunnerResult:
            nonlocal visible
            visible += new
            return RunnerResult.message_delta(ctx.run_id, MessageChunk(role="assistant", content=visible))

        known = (await ctx.state_get("conversation", "external.runs"))["value"] or 0
        await ctx.state_set("conversation", "external.runs", known + 1)
        yield snapshot(f"Run {known + 1}. ")
        for name in ("a", "b"):
            yield snapshot(f"{await ctx.call_tool('count', {'name': name})} ")
        messages = [Message(role="user", content=ctx.input.contents)]
        async for chunk in ctx.api.invoke_llm_stream(ctx.resources.models[0].model_id, messages):
            yield snapshot(chunk.content or "")
        yield snapshot(f"{await ctx.call_tool('count', {'name': 'c'})} ")
        yield RunnerResult.run_completed(ctx.run_id)
