"""A graph of LangGraph with one tool."""

from langchain_openai import ChatOpenAI
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition

from yarrow.adapters.langgraph import runner


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


model = ChatOpenAI(model="gpt-5-mini").bind_tools([add])


async def answer(state: MessagesState):
    return {"messages": [await model.ainvoke(state["messages"])]}


builder = StateGraph(MessagesState).add_node(answer).add_node(ToolNode([add]))
builder.add_edge(START, "answer").add_conditional_edges("answer", tools_condition).add_edge("tools", "answer")
RUNNER = runner(builder.compile(), id="plugin:example/langgraph_agent/default", label="Langgraph agent")
