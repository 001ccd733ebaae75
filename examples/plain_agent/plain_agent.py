"""An agent without a framework: it asks the host's model and streams the answer."""

from yarrow.protocol.runner.manifest import AgentRunnerManifest, AgentRunnerPermissions
from yarrow.protocol.runner.models import AgentRunResult, InstalledRunner

ID, LABEL = "plugin:example/plain_agent/default", {"en_US": "Plain agent"}


class Agent:
    async def run(self, context, api):
        messages = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": context.input.text}]
        async for piece in api.models.stream("chat", messages):
            if piece.content:
                chunk = {"role": "assistant", "content": piece.content}
                yield AgentRunResult(run_id=context.run_id, type="message.delta", data={"chunk": chunk})


PERMISSIONS = AgentRunnerPermissions(models=("stream",))
RUNNER = InstalledRunner(AgentRunnerManifest(id=ID, name="default", label=LABEL, permissions=PERMISSIONS), Agent)
