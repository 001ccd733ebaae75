"""A note-taker in a Lambda function of its own: it keeps what it is told, with the time, and says what it knows.

It shows what a remote runner may do: stream its results, and call the host's tools, state and models meanwhile.
"""

from collections.abc import AsyncGenerator
from typing import Any

from yarrow.protocol.runner.manifest import AgentRunnerCapabilities, AgentRunnerManifest, AgentRunnerPermissions
from yarrow.protocol.runner.models import AgentRunContext, AgentRunResult, InstalledRunner
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.sdk import serve

MANIFEST = AgentRunnerManifest(
    id="plugin:examples/notes/default",
    name="default",
    label={"en_US": "Notes", "zh_Hans": "笔记"},
    description={"en_US": "Keeps what it is told, with the time, and says what it knows."},
    capabilities=AgentRunnerCapabilities(streaming=True, tool_calling=True, stateful_session=True),
    permissions=AgentRunnerPermissions(models=("stream",), tools=("call",)),
)
CLOCK = "get_current_time"
MOST_NOTES = 100
ASK = "These are the user's notes, oldest first. Say in one sentence what they are about."


class Notes:
    """One run: note what was said, then say how many notes there are and, with a model, what they are about."""

    async def run(self, context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        """Yield its results."""

        def result(type_: str, **data: Any) -> AgentRunResult:
            return AgentRunResult(run_id=context.run_id, type=type_, data=data)

        def say(text: str) -> AgentRunResult:
            return result("message.delta", chunk={"role": "assistant", "content": text})

        call = {"tool_call_id": "clock", "tool_name": CLOCK}
        yield result("tool.call.started", **call, parameters={})
        now = await api.tools.call(CLOCK, {})
        yield result("tool.call.completed", **call, result=now)

        notes = await api.state.get("conversation", "notes") or []
        notes = [*notes, {"at": now, "text": context.input.text or ""}][-MOST_NOTES:]
        await api.state.set("conversation", "notes", notes)
        yield say(f"{len(notes)} ")
        yield say("note.\n" if len(notes) == 1 else "notes.\n")

        if context.resources.models:
            text = "\n".join(note["text"] for note in notes)
            messages = [{"role": "system", "content": ASK}, {"role": "user", "content": text}]
            async for chunk in api.models.stream(context.resources.models[0].model_id, messages):
                if chunk.content:
                    yield say(chunk.content)
        yield result("run.completed")


handler = serve(InstalledRunner(MANIFEST, Notes))
