"""What the agents of this folder share: a runner that says the pieces of an answer to the user's text."""

from yarrow.protocol.runner.manifest import AgentRunnerManifest
from yarrow.protocol.runner.models import AgentRunResult, InstalledRunner

MANIFEST = AgentRunnerManifest(id="plugin:tests/framework/default", name="default", label={"en_US": "Framework"})


def runner(pieces):
    class Framework:
        async def run(self, context, api):
            async for piece in pieces(context.input.text):
                chunk = {"role": "assistant", "content": piece}
                yield AgentRunResult(run_id=context.run_id, type="message.delta", data={"chunk": chunk})

    return InstalledRunner(MANIFEST, Framework)
