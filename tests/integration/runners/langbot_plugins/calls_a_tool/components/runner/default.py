"""Calls a tool and says what it answered."""

from __future__ import annotations

import typing

from langbot_plugin.api.definition.components.runner.runner import Runner
from langbot_plugin.api.entities.builtin.provider.message import Message
from langbot_plugin.api.entities.builtin.runner import RunnerContext, RunnerResult

ARGUMENTS = {"to": "landlord", "amount": 900}


class ToolRunner(Runner):
    async def run(self, ctx: RunnerContext) -> typing.AsyncGenerator[RunnerResult, None]:
        yield RunnerResult.tool_call_started(ctx.run_id, "call-1", "transfer", ARGUMENTS)
        answer = await ctx.call_tool("transfer", ARGUMENTS)
        yield RunnerResult.tool_call_completed(ctx.run_id, "call-1", "transfer", answer)
        text = f"transferred {answer['transferred']}" if "transferred" in answer else "refused"
        yield RunnerResult.message_completed(ctx.run_id, Message(role="assistant", content=text))
        yield RunnerResult.run_completed(ctx.run_id)
