"""LangChain."""

from langchain.agents import create_agent
from langchain_openai import ChatOpenAI
from say import runner

agent = create_agent(ChatOpenAI(model="fake"))


async def pieces(text):
    async for chunk, _ in agent.astream({"messages": [("user", text)]}, stream_mode="messages"):
        yield chunk.text


RUNNER = runner(pieces)
