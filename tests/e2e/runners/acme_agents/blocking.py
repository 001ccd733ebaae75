"""A runner that blocks its thread until a test opens its gate, and then says and asks what it no longer may.

The host that finds it gives it seconds, since nobody waits here for a deadline of minutes; other runners keep theirs.
"""

import time
from collections.abc import AsyncGenerator
from dataclasses import replace
from pathlib import Path
from typing import Any

from yarrow.protocol.runner.api import AgentAPIException
from yarrow.protocol.runner.manifest import AgentRunnerManifest
from yarrow.protocol.runner.models import AgentRunContext, AgentRunResult, InstalledRunner
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.worker import heartbeat, preparation

SECONDS = 5

heartbeat.BEAT_SECONDS = 0.2


class Blocking:
    """`config.gate` and `config.heard` are pipes: it waits for the one, and tells what it was answered in the other."""

    async def run(self, context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        """Yield its results."""

        def say(text: str) -> AgentRunResult:
            chunk = {"role": "assistant", "content": text}
            return AgentRunResult(run_id=context.run_id, type="message.delta", data={"chunk": chunk})

        yield say("in time")
        if context.input.text == "block":
            Path(context.config["gate"]).read_bytes()  # noqa: ASYNC240 (blocks the loop, which is the point)
            try:
                await api.state.set("conversation", "late", True)
                answer = "kept"
            except AgentAPIException as error:
                answer = error.error.code
            Path(context.config["heard"]).write_text(answer + "\n", encoding="utf-8")  # noqa: ASYNC240 (the same)
            yield say("too late")


RUNNER = InstalledRunner(
    AgentRunnerManifest(id="plugin:acme/blocking/default", name="default", label={"en_US": "Blocking"}), Blocking
)

_granted = preparation.grant


def _impatiently(manifest: AgentRunnerManifest, agent: str, policy: Any, scope: Any, *more: Any) -> Any:
    if manifest.id == RUNNER.manifest.id:
        scope = replace(scope, deadline_at=time.time() + SECONDS)
    return _granted(manifest, agent, policy, scope, *more)


preparation.grant = _impatiently
