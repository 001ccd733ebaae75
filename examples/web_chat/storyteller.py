"""An agent that needs half a minute for its answer, without a model: time to reload, to lose the network, to stop."""

import asyncio

from yarrow.protocol.runner.manifest import AgentRunnerManifest
from yarrow.protocol.runner.models import AgentRunResult, InstalledRunner

MANIFEST = AgentRunnerManifest(
    id="plugin:examples/storyteller/default",
    name="default",
    label={"en_US": "Storyteller", "zh_Hans": "讲故事的人", "zh_Hant": "說故事的人"},
)
STORY = (
    "A letter left the village on a Monday, in the bag of a postman who did not hurry. On Tuesday it rained, and "
    "he waited under a bridge with a fisherman and a goat. On Wednesday the bridge was gone, so he went around by "
    "the mill. On Thursday the miller read him the address, because the ink had run. On Friday he asked a child "
    "for the house, and the child asked for the stamp. The letter said: everything is well here, do not hurry. So "
    "he did not, and went home by the river."
)


class Storyteller:
    async def run(self, context, api):
        for word in STORY.split():
            await asyncio.sleep(0.3)
            chunk = {"role": "assistant", "content": f"{word} "}
            yield AgentRunResult(run_id=context.run_id, type="message.delta", data={"chunk": chunk})


RUNNER = InstalledRunner(MANIFEST, Storyteller)
