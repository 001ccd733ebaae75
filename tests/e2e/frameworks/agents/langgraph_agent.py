"""LangGraph."""

from langchain_openai import ChatOpenAI
from langgraph.graph import START, MessagesState, StateGraph
from say import runner

model = ChatOpenAI(model="fake")


async def answer(state):
    return {"messages": [await model.ainvoke(state["messages"])]}


graph = StateGraph(MessagesState).add_node("answer", answer).add_edge(START, "answer").compile()


async def pieces(text):
    async for chunk, _ in graph.astream({"messages": [("user", text)]}, stream_mode="messages"):
        yield chunk.text


RUNNER = runner(pieces)
