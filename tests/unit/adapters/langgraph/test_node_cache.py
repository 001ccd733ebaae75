"""What a node wrote is a step: it answers a later worker, and only for the same input."""

import asyncio
from typing import Any

import pytest

pytest.importorskip("langgraph", reason="langgraph is not installed: make frameworks")

from langchain_core.messages import AIMessage, HumanMessage
from langgraph.graph import START, MessagesState, StateGraph

from tests.support.runners.step_host import StepHost
from yarrow.adapters.langgraph.node_cache import MAX_STORED_BYTES, NodeCache
from yarrow.adapters.langgraph.source import GraphSource

LARGE = "x" * (MAX_STORED_BYTES + 1)


class Nodes:
    """A graph of a node that answers, and one that fails until it may succeed."""

    def __init__(self, answer: str = "done") -> None:
        self.answered = 0
        self.fails = True
        self._answer = answer

    def graph(self) -> Any:
        builder = StateGraph(MessagesState)
        builder.add_node("answer", self.answer)
        builder.add_node("end", self.end)
        builder.add_edge(START, "answer")
        builder.add_edge("answer", "end")
        return builder.compile()

    async def answer(self, state: MessagesState) -> dict[str, Any]:
        self.answered += 1
        return {"messages": [AIMessage(self._answer)]}

    async def end(self, state: MessagesState) -> dict[str, Any]:
        if self.fails:
            raise RuntimeError("not yet")
        return {"messages": [AIMessage("the end")]}


async def run(nodes: Nodes, host: StepHost, text: str = "hello") -> list[str]:
    """What the graph says in a run by another worker."""
    cache = NodeCache(host.api())
    body = {
        "threadId": "thread",
        "runId": "run",
        "messages": [{"id": "m", "role": "user", "content": text}],
    }
    events = [event async for event in GraphSource(nodes.graph(), cache, {}, None)(body)]
    return [event["delta"] for event in events if event["type"] == "TEXT_MESSAGE_CONTENT"]


def fail(nodes: Nodes, host: StepHost, text: str = "hello") -> None:
    with pytest.raises(RuntimeError, match="not yet"):
        asyncio.run(run(nodes, host, text))


def test_a_node_that_ended_is_not_run_again_and_its_answer_comes_at_its_place() -> None:
    nodes, host = Nodes(), StepHost()
    fail(nodes, host)
    nodes.fails = False
    assert asyncio.run(run(nodes, host)) == ["done", "the end"]
    assert nodes.answered == 1


def test_a_node_that_failed_is_left_and_run_again() -> None:
    nodes, host = Nodes(), StepHost()
    fail(nodes, host)
    assert host.left == ["node end"]
    fail(nodes, host)


def test_another_input_is_another_step() -> None:
    """STP-06."""
    nodes, host = Nodes(), StepHost()
    fail(nodes, host)
    fail(nodes, host, "hello again")
    assert nodes.answered == 2


def test_what_is_too_large_is_not_stored() -> None:
    nodes, host = Nodes(LARGE), StepHost()
    fail(nodes, host)
    fail(nodes, host)
    assert nodes.answered == 2
    assert host.stored == {}


def test_a_node_that_runs_twice_with_one_input_runs_twice() -> None:
    """A loop that changes nothing is not answered from its first round."""
    rounds: list[int] = []

    class Polling(MessagesState):
        ready: bool

    async def poll(state: Polling) -> dict[str, Any]:
        rounds.append(1)
        return {"ready": len(rounds) == 3}

    builder = StateGraph(Polling)
    builder.add_node("poll", poll)
    builder.add_edge(START, "poll")
    builder.add_conditional_edges("poll", lambda state: "__end__" if state["ready"] else "poll")

    async def polled(host: StepHost) -> None:
        graph = builder.compile()
        source = GraphSource(graph, NodeCache(host.api()), {"ready": False}, None)
        body = {"threadId": "t", "runId": "r", "messages": [{"id": "m", "role": "user", "content": "go"}]}
        async for _ in source(body):
            pass

    host = StepHost()
    asyncio.run(polled(host))
    assert len(rounds) == 3
    asyncio.run(polled(host))
    assert len(rounds) == 3


def test_a_run_that_is_closed_stops_the_node_that_it_waits_for() -> None:
    """So a request to a model that is awaited is closed."""
    begun, stopped = asyncio.Event(), asyncio.Event()

    async def wait(state: MessagesState) -> dict[str, Any]:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()
        return {}

    builder = StateGraph(MessagesState)
    builder.add_node("wait", wait)
    builder.add_edge(START, "wait")

    async def closed() -> None:
        source = GraphSource(builder.compile(), NodeCache(StepHost().api()), {}, None)
        body = {"threadId": "t", "runId": "r", "messages": [{"id": "m", "role": "user", "content": "go"}]}

        async def listen() -> None:
            async for _ in source(body):
                pass

        run = asyncio.create_task(listen())
        await asyncio.wait_for(begun.wait(), 10)
        run.cancel()
        await asyncio.gather(run, return_exceptions=True)
        await asyncio.wait_for(stopped.wait(), 10)

    asyncio.run(closed())


def test_messages_keep_their_ids_and_parts() -> None:
    from yarrow.adapters.langgraph.messages import from_agui

    picture = {"type": "image", "source": {"type": "data", "value": "YWJj", "mimeType": "image/png"}}
    call = {"id": "c", "type": "function", "function": {"name": "look", "arguments": '{"at": 1}'}}
    user, assistant, tool = from_agui(
        [
            {"id": "u", "role": "user", "content": [{"type": "text", "text": "see"}, picture]},
            {"id": "r", "role": "reasoning", "content": "hm"},
            {"id": "a", "role": "assistant", "toolCalls": [call]},
            {"id": "t", "role": "tool", "toolCallId": "c", "content": "a cat"},
        ]
    )
    assert isinstance(user, HumanMessage)
    assert user.content == [
        {"type": "text", "text": "see"},
        {"type": "image", "base64": "YWJj", "mime_type": "image/png"},
    ]
    assert [message.id for message in (user, assistant, tool)] == ["u", "a", "t"]
    assert assistant.tool_calls == [{"name": "look", "args": {"at": 1}, "id": "c", "type": "tool_call"}]
