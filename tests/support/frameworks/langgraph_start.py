"""The calculator of LangGraph's quickstart, by a model of OpenAI, and the two lines that make it a runner."""

import operator
from typing import Annotated, Any, Literal

from langchain_core.messages import AnyMessage, SystemMessage, ToolMessage
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from langgraph.graph import END, START, StateGraph
from typing_extensions import TypedDict

from yarrow.adapters.langgraph import runner

model = ChatOpenAI(model="gpt-5-mini")


@tool
def multiply(a: int, b: int) -> int:
    """Multiply `a` and `b`.

    Args:
        a: First int
        b: Second int
    """
    return a * b


tools = [multiply]
tools_by_name = {tool.name: tool for tool in tools}
model_with_tools = model.bind_tools(tools)


class MessagesState(TypedDict):
    messages: Annotated[list[AnyMessage], operator.add]
    llm_calls: int


def llm_call(state: dict[str, Any]) -> dict[str, Any]:
    """LLM decides whether to call a tool or not"""
    prompt = SystemMessage(content="You are a helpful assistant tasked with performing arithmetic on a set of inputs.")
    return {
        "messages": [model_with_tools.invoke([prompt, *state["messages"]])],
        "llm_calls": state.get("llm_calls", 0) + 1,
    }


def tool_node(state: dict[str, Any]) -> dict[str, Any]:
    """Performs the tool call"""
    result = []
    for tool_call in state["messages"][-1].tool_calls:
        tool = tools_by_name[tool_call["name"]]
        observation = tool.invoke(tool_call["args"])
        result.append(ToolMessage(content=str(observation), tool_call_id=tool_call["id"]))
    return {"messages": result}


def should_continue(state: MessagesState) -> Literal["tool_node", "__end__"]:
    """Decide if we should continue the loop or stop based upon whether the LLM made a tool call"""
    return "tool_node" if state["messages"][-1].tool_calls else END


agent_builder = StateGraph(MessagesState)
agent_builder.add_node("llm_call", llm_call)
agent_builder.add_node("tool_node", tool_node)
agent_builder.add_edge(START, "llm_call")
agent_builder.add_conditional_edges("llm_call", should_continue, ["tool_node", END])
agent_builder.add_edge("tool_node", "llm_call")
agent = agent_builder.compile()

RUNNER = runner(agent, id="plugin:tests/langgraph/default", label="Calculator")
"""Of the adapter: the import and this line."""
