"""An agent in one file: it says back what it hears, word by word."""

from yarrow.protocol.runner.manifest import AgentRunnerManifest
from yarrow.protocol.runner.models import AgentRunResult, InstalledRunner

MANIFEST = AgentRunnerManifest(id="plugin:examples/echo/default", name="default", label={"en_US": "Echo"})


class Echo:
    async def run(self, context, api):
        for word in f"You said: {context.input.text}".split():
            chunk = {"role": "assistant", "content": f"{word} "}
            yield AgentRunResult(run_id=context.run_id, type="message.delta", data={"chunk": chunk})


RUNNER = InstalledRunner(MANIFEST, Echo)
