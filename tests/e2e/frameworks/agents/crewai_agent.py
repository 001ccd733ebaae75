"""CrewAI."""

from crewai import LLM, Agent
from say import runner

agent = Agent(role="assistant", goal="answer", backstory="", llm=LLM(model="openai/gpt-4o-mini"))


async def pieces(text):
    yield (await agent.kickoff_async(text)).raw


RUNNER = runner(pieces)
