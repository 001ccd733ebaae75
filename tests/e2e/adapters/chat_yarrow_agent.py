"""A LangGraph graph that asks the deployment's model: twice the same side by side, then twice one after the other."""

from typing import Any

from langchain_core.messages import HumanMessage
from langgraph.graph import START, MessagesState, StateGraph

from yarrow.adapters.langgraph import ChatYarrow, runner

model = ChatYarrow("chat")


def request_of(state: MessagesState) -> str:
    return str(state["messages"][0].text)


async def left(state: MessagesState) -> dict[str, Any]:
    return {"messages": [await model.ainvoke("Draw a number.")]}


async def right(state: MessagesState) -> dict[str, Any]:
    return {"messages": [await model.ainvoke("Draw a number.")]}


def tell(state: MessagesState) -> dict[str, Any]:
    """Ask in a thread, as nodes do that are no coroutines."""
    outline = model.invoke([HumanMessage("Outline it.")])
    return {"messages": [model.invoke([HumanMessage(f"Tell it by: {outline.text}")])]}


def begin(state: MessagesState) -> list[str]:
    return ["tell"] if request_of(state) == "alone" else ["left", "right"]


builder = StateGraph(MessagesState)
builder.add_node("left", left)
builder.add_node("right", right)
builder.add_node("tell", tell)
builder.add_conditional_edges(START, begin, ["left", "right", "tell"])
builder.add_edge(["left", "right"], "tell")

RUNNER = runner(builder.compile(), id="plugin:tests/chat-yarrow/default", label="Chat", shown={"tell"})
