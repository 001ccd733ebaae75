"""A LangGraph graph that counts the runs of its nodes in a file."""

import asyncio
import json
from pathlib import Path
from typing import Any

from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.types import interrupt

from yarrow.adapters.langgraph import runner

ROUNDS = 3


class State(MessagesState):
    """How many rounds the run had, and how many runs the conversation."""

    rounds: int
    runs: int


def request_of(state: State) -> dict[str, str]:
    prompts = [message for message in state["messages"] if isinstance(message, HumanMessage)]
    document: dict[str, str] = json.loads(str(prompts[-1].content))
    return document


def count(state: State, entry: str) -> None:
    with Path(request_of(state)["ledger"]).open("a", encoding="utf-8") as file:
        file.write(f"{entry}\n")


async def begin(state: State) -> dict[str, Any]:
    return {"rounds": 0, "runs": state.get("runs", 0) + 1}


async def think(state: State) -> dict[str, Any]:
    """Stream a few words; the model is a script."""
    number = state["rounds"]
    count(state, f"think {number}")
    model = GenericFakeChatModel(messages=iter([AIMessage(f"Round {number} of run {state['runs']}. ")]))
    return {"messages": [await model.ainvoke(state["messages"])]}


async def call(state: State) -> dict[str, Any]:
    number = state["rounds"]
    made = {"name": "note", "args": {"number": number}, "id": f"call-{state['runs']}-{number}"}
    return {"messages": [AIMessage("", tool_calls=[made])]}


async def act(state: State) -> dict[str, Any]:
    """Act, after the user's answer if the request says so."""
    number = state["rounds"]
    call_id = f"call-{state['runs']}-{number}"
    if "asks" in request_of(state):
        answer = interrupt({"message": f"Round {number}?", "reason": "confirmation"})
        if not answer["approved"]:
            return {
                "messages": [ToolMessage("refused", tool_call_id=call_id)],
                "rounds": ROUNDS,
            }
    count(state, f"act {number}")
    await asyncio.sleep(0.05)  # so that a worker can be killed here
    return {
        "messages": [ToolMessage(f"noted {number}", tool_call_id=call_id)],
        "rounds": number + 1,
    }


def goes_on(state: State) -> str:
    return "think" if state["rounds"] < ROUNDS else END


builder = StateGraph(State)
for node in (begin, think, call, act):
    builder.add_node(node.__name__, node)
builder.add_edge(START, "begin")
builder.add_edge("begin", "think")
builder.add_edge("think", "call")
builder.add_edge("call", "act")
builder.add_conditional_edges("act", goes_on, ["think", END])

RUNNER = runner(builder.compile(), id="plugin:tests/graph/default", label="Graph")
