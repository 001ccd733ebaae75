"""A remote runner that gives away its way back, so that a test can try how long it is open."""

import asyncio
import os
import sys
from collections.abc import AsyncGenerator

from yarrow.protocol.runner.manifest import AgentRunnerManifest
from yarrow.protocol.runner.models import AgentRunContext, AgentRunResult, InstalledRunner
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.sdk import serve
from yarrow.sdk.callback import HttpTransport


class Telling:
    """It says where it may call back and with which token, and ends, unless it is told to wait or how else to end."""

    async def run(self, context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        """Yield its results."""
        assert isinstance(api.transport, HttpTransport)
        await api.state.set("conversation", "known", context.input.text)
        chunk = {"role": "assistant", "content": api.transport._callback.model_dump_json()}
        yield AgentRunResult(run_id=context.run_id, type="message.delta", data={"chunk": chunk})
        match context.input.text:
            case "wait":
                await asyncio.Event().wait()
            case "raise SystemExit":
                sys.exit(3)
            case "raise SystemExit in a task":
                await asyncio.create_task(_leave())
            case "raise KeyboardInterrupt":
                raise KeyboardInterrupt
            case "os._exit":
                os._exit(3)


async def _leave() -> None:
    sys.exit(3)


handler = serve(
    InstalledRunner(
        AgentRunnerManifest(id="plugin:tests/telling/default", name="default", label={"en_US": "Telling"}), Telling
    )
)
