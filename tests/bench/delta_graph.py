"""The agent of `delta_stack` as a LangGraph graph, for the peers: it says as many pieces as it is asked for.

Loaded by the peers' servers in their own environments, never by ours. `how` chooses between the two ways a graph has to
say something: `messages-tuple` streams the tokens of a chat model, which is how an answer comes and what a message's
deltas are; `custom` writes events of no fixed shape, the fastest way there is.
"""

import asyncio
import json
import time
from collections.abc import AsyncIterator
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGenerationChunk, ChatResult
from langgraph.config import get_stream_writer
from langgraph.graph import END, START, MessagesState, StateGraph


class State(MessagesState):
    """The question as the only message, and how to answer it."""

    how: str


class DeltaModel(BaseChatModel):
    _llm_type = "deltas"

    def _generate(self, *_: Any, **__: Any) -> ChatResult:
        raise NotImplementedError("it is only ever streamed")

    async def _astream(self, messages: list[BaseMessage], *_: Any, **__: Any) -> AsyncIterator[ChatGenerationChunk]:
        async for piece in _pieces(messages):
            yield ChatGenerationChunk(message=AIMessageChunk(content=piece))


async def say(state: State) -> dict[str, list[BaseMessage]]:
    """Answer as the state asks."""
    if state["how"] == "messages-tuple":
        return {"messages": [await DeltaModel().ainvoke(state["messages"])]}
    write, texts = get_stream_writer(), []
    async for piece in _pieces(state["messages"]):
        texts.append(piece)
        write({"delta": piece})
    return {"messages": [AIMessage("".join(texts))]}


async def _pieces(messages: list[BaseMessage]) -> AsyncIterator[str]:
    request = json.loads(messages[-1].text)
    start = time.monotonic()
    for number in range(request["deltas"]):
        if request["rate"]:
            await asyncio.sleep(start + number / request["rate"] - time.monotonic())
        yield f"{time.monotonic():.5f} "


builder = StateGraph(State)
builder.add_node(say)
builder.add_edge(START, "say")
builder.add_edge("say", END)
graph = builder.compile()
