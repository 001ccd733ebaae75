"""An agent of CrewAI, which answers as a whole."""

from crewai import LLM, Agent

from yarrow.protocol.runner.manifest import AgentRunnerManifest
from yarrow.protocol.runner.models import AgentRunResult, InstalledRunner

agent = Agent(role="assistant", goal="Be brief.", backstory="", llm=LLM(model="openai/gpt-5-mini"))
ID, LABEL = "plugin:example/crewai_agent/default", {"en_US": "Crewai agent"}


class Crew:
    async def run(self, context, api):
        answer = await api.step("crew", lambda: _answer(context.input.text))
        message = {"role": "assistant", "content": answer}
        yield AgentRunResult(run_id=context.run_id, type="message.completed", data={"message": message})


async def _answer(text):
    return (await agent.kickoff_async(text)).raw


RUNNER = InstalledRunner(AgentRunnerManifest(id=ID, name="default", label=LABEL), Crew)
