"""A chat model of LangChain whose requests are made by the host."""

import asyncio
import base64
import operator
from collections import Counter
from typing import Annotated, Any

import pytest

pytest.importorskip("langgraph", reason="langgraph is not installed: make frameworks")

from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.tools import tool
from langgraph.graph import START, StateGraph
from langgraph.types import Send
from pydantic import BaseModel
from typing_extensions import TypedDict

from tests.support.runners.asked_models import AskedModels, said
from tests.support.runners.fake_services import _Artifacts
from yarrow.adapters.langgraph import ChatYarrow
from yarrow.adapters.langgraph.node_cache import NodeCache
from yarrow.adapters.langgraph.source import GraphSource
from yarrow.protocol.runner.api import AgentAPIException, ModelChunk, ModelReasoning
from yarrow.protocol.runner.proxy import AgentRunAPIProxy

PICTURE = {"type": "image", "base64": "YWJj", "mime_type": "image/png"}


@tool
def multiply(a: int, b: int) -> int:
    """Multiply."""
    return a * b


@tool
def add(a: int, b: int) -> int:
    """Add."""
    return a + b


class Weather(BaseModel):
    """The weather of a city."""

    city: str
    degrees: int


class State(TypedDict):
    messages: Annotated[list[Any], operator.add]


def model(api: AgentRunAPIProxy | None = None, **fields: Any) -> ChatYarrow:
    return ChatYarrow("llm", api=api, **fields)


def asked(models: AskedModels, messages: Any, bound: Any = lambda model: model, **how: Any) -> Any:
    """The answer to messages, from a runner without a graph."""

    async def use(api: AgentRunAPIProxy) -> Any:
        return await bound(model(api)).ainvoke(messages, **how)

    return asyncio.run(models.worker(use))


def test_an_answer_has_its_text_calls_and_usage() -> None:
    models = AskedModels(lambda *_: said("Let me ", "see.", call=("c1", "multiply", '{"a": 3, "b": 4}')))
    answer = asked(models, "3 times 4?", lambda model: model.bind_tools([multiply]))
    assert isinstance(answer, AIMessage)
    assert answer.content == "Let me see."
    assert answer.tool_calls == [{"name": "multiply", "args": {"a": 3, "b": 4}, "id": "c1", "type": "tool_call"}]
    assert answer.usage_metadata == {
        "input_tokens": 11,
        "output_tokens": 7,
        "total_tokens": 18,
        "input_token_details": {"cache_read": 3},
    }
    assert answer.response_metadata["finish_reason"] == "tool_calls"
    (request,) = models.requests
    assert request.model_id == "llm"
    (offered,) = request.tools or ()
    assert (offered.name, offered.description) == ("multiply", "Multiply.")
    assert offered.parameters["required"] == ["a", "b"]


def test_arguments_that_are_no_json_are_an_invalid_call() -> None:
    answer = asked(AskedModels(lambda *_: said(call=("c1", "multiply", '{"a": 3,'))), "?")
    assert answer.tool_calls == [] or answer.tool_calls[0]["args"] == {"a": 3}
    assert len(answer.tool_calls) + len(answer.invalid_tool_calls) == 1


def test_a_stream_has_the_pieces_and_the_whole() -> None:
    models = AskedModels(lambda *_: said("One ", "two."))

    async def use(api: AgentRunAPIProxy) -> list[Any]:
        return [chunk async for chunk in model(api).astream("Count.")]

    chunks = asyncio.run(models.worker(use))
    assert [chunk.content for chunk in chunks if chunk.content] == ["One ", "two."]
    whole = sum(chunks[1:], chunks[0])
    assert whole.content == "One two."
    assert whole.usage_metadata["total_tokens"] == 18
    assert whole.response_metadata["finish_reason"] == "stop"


def test_the_conversation_is_sent_as_it_is() -> None:
    models = AskedModels(lambda *_: said("12."))
    call = {"name": "multiply", "args": {"a": 3, "b": 4}, "id": "c1"}
    asked(
        models,
        [
            SystemMessage("Be brief."),
            HumanMessage([{"type": "text", "text": "What is this?"}, PICTURE]),
            AIMessage([{"type": "reasoning", "reasoning": "hm"}, {"type": "text", "text": "See:"}], tool_calls=[call]),
            ToolMessage("12", tool_call_id="c1"),
        ],
    )
    system, user, assistant, result = models.requests[0].messages
    assert (system.role, system.content) == ("system", "Be brief.")
    assert user.content == (
        {"type": "text", "text": "What is this?"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,YWJj"}},
    )
    assert (assistant.role, assistant.content) == ("assistant", "See:")
    assert assistant.tool_calls[0].function.arguments == '{"a": 3, "b": 4}'
    assert (result.role, result.content, result.tool_call_id) == ("tool", "12", "c1")


def test_a_picture_of_the_run_is_named_and_not_sent() -> None:
    """Its bytes may be more than a request."""
    models = AskedModels(lambda *_: said("Bytes."))

    async def use(api: AgentRunAPIProxy) -> None:
        content = b"".join([part async for part in api.artifacts.open_stream("file")])
        assert content == _Artifacts.CONTENT
        block = {"type": "image", "base64": base64.b64encode(content).decode(), "mime_type": "image/png"}
        await model(api).ainvoke([HumanMessage([block])])

    asyncio.run(models.worker(use))
    assert models.requests[0].messages[0].content == ({"type": "artifact", "artifact_id": "file"},)


def test_options_and_stops_are_passed_on() -> None:
    models = AskedModels(lambda *_: said("."))

    async def use(api: AgentRunAPIProxy) -> None:
        await model(api, temperature=0.5, seed=7).ainvoke("Go.", stop=["END"], max_tokens=9)

    asyncio.run(models.worker(use))
    wanted = {"temperature": 0.5, "seed": 7, "max_tokens": 9, "stop_sequences": ["END"]}
    assert models.requests[0].extra_args == wanted


@pytest.mark.parametrize(
    ("choice", "sent", "offered"),
    [
        (None, None, ["multiply", "add"]),
        ("auto", "auto", ["multiply", "add"]),
        ("none", "none", ["multiply", "add"]),
        ("any", "required", ["multiply", "add"]),
        (True, "required", ["multiply", "add"]),
        ("add", "required", ["add"]),
        ({"type": "function", "function": {"name": "multiply"}}, "required", ["multiply"]),
    ],
)
def test_a_choice_of_tools_is_the_hosts(choice: Any, sent: str | None, offered: list[str]) -> None:
    models = AskedModels(lambda *_: said("."))
    asked(models, "Go.", lambda model: model.bind_tools([multiply, add], tool_choice=choice))
    assert (models.requests[0].extra_args or {}).get("tool_choice") == sent
    assert [tool.name for tool in models.requests[0].tools or ()] == offered


def test_structured_output_is_the_arguments_of_a_call() -> None:
    models = AskedModels(lambda *_: said(call=("c1", "Weather", '{"city": "Hamburg", "degrees": 9}')))
    answer = asked(models, "Weather?", lambda model: model.with_structured_output(Weather))
    assert answer == Weather(city="Hamburg", degrees=9)
    assert (models.requests[0].extra_args or {})["tool_choice"] == "required"


def test_reasoning_is_kept_for_the_model_that_made_it() -> None:
    thought = ModelReasoning(content="Hm.", encrypted_value="sealed")

    def script(request: Any, number: int) -> list[ModelChunk]:
        whole = said("Yes.")
        reply = whole[-1].reply
        assert reply is not None
        reasoned = reply.model_copy(update={"message": reply.message.model_copy(update={"reasoning": (thought,)})})
        return [ModelChunk(reasoning="Hm."), ModelChunk(reasoned=thought), *whole[:-1], ModelChunk(reply=reasoned)]

    models = AskedModels(script)

    async def use(api: AgentRunAPIProxy) -> None:
        answer = await model(api).ainvoke("Sure?")
        assert answer.content_blocks[0] == {"type": "reasoning", "reasoning": "Hm."}
        await model(api).ainvoke([HumanMessage("Sure?"), answer, HumanMessage("Really?")])

    asyncio.run(models.worker(use))
    assert models.requests[1].messages[1].reasoning == (thought,)


def test_a_refusal_is_the_hosts_error() -> None:
    spent = AgentAPIException("rate_limited", "The user's model tokens of the day are used up.")
    with pytest.raises(AgentAPIException, match="used up") as raised:
        asked(AskedModels(lambda *_: spent), "Hello?")
    assert raised.value.code == "rate_limited"


def test_a_model_or_option_that_is_not_granted_is_refused() -> None:
    models = AskedModels(lambda *_: said("."))

    async def use(api: AgentRunAPIProxy) -> None:
        with pytest.raises(AgentAPIException) as raised:
            await ChatYarrow("other", api=api).ainvoke("Go.")
        assert raised.value.code == "not_found"

    asyncio.run(models.worker(use))
    assert models.requests == []


def test_outside_a_run_it_says_what_it_needs() -> None:
    with pytest.raises(RuntimeError, match="for graphs behind"):
        asyncio.run(ChatYarrow().ainvoke("Hello?"))


def test_a_blocking_call_on_the_runs_own_loop_is_refused() -> None:
    """It would wait for itself."""

    async def use(api: AgentRunAPIProxy) -> None:
        with pytest.raises(RuntimeError, match="ainvoke"):
            model(api).invoke("Hello?")

    asyncio.run(AskedModels(lambda *_: said(".")).worker(use))


# ---- In a graph ------------------------------------------------------------------------------------------------------
def ran(models: AskedModels, graph: Any) -> list[Any]:
    """The events of a graph by another worker."""

    async def use(api: AgentRunAPIProxy) -> list[Any]:
        source = GraphSource(graph, NodeCache(api), {}, None, api)
        body = {"threadId": "t", "runId": "r", "messages": [{"id": "m", "role": "user", "content": "go"}]}
        return [event async for event in source(body)]

    return list(asyncio.run(models.worker(use)))


def text_of(events: list[Any]) -> str:
    return "".join(event["delta"] for event in events if event["type"] == "TEXT_MESSAGE_CONTENT")


def test_a_node_that_awaits_and_one_that_blocks_stream_the_answer() -> None:
    def blocks(state: State) -> Any:
        return {"messages": [model().invoke(state["messages"])]}

    async def awaits(state: State) -> Any:
        return {"messages": [await model().ainvoke(state["messages"])]}

    for node in (blocks, awaits):
        models = AskedModels(lambda *_: said("One ", "two."))
        builder = StateGraph(State)
        builder.add_node("ask", node)
        builder.add_edge(START, "ask")
        events = ran(models, builder.compile())
        assert [event["delta"] for event in events if event["type"] == "TEXT_MESSAGE_CONTENT"] == ["One ", "two."]
        assert events[-1]["usage"] == []  # the host has counted it
        assert len(models.requests) == 1


def test_a_text_that_its_node_leaves_out_does_not_hold_back_the_next() -> None:
    async def two(state: State) -> Any:
        await model().ainvoke("An outline.")
        return {"messages": [await model().ainvoke("The text.")]}

    builder = StateGraph(State)
    builder.add_node("ask", two)
    builder.add_edge(START, "ask")
    events = ran(AskedModels(lambda _, number: said(f"{number}")), builder.compile())
    kinds = [event["type"].removeprefix("TEXT_MESSAGE_") for event in events if "TEXT_MESSAGE" in event["type"]]
    assert kinds[:3] == ["CONTENT", "END", "CONTENT"]


def test_a_request_that_ended_is_not_made_again_though_its_node_had_not() -> None:
    """STP-01."""
    fails = [True]

    async def two(state: State) -> Any:
        first = await model().ainvoke("one")
        if fails:
            raise KeyError(fails.pop())
        second = await model().ainvoke("two")
        return {"messages": [AIMessage(f"{first.content} {second.content}")]}

    builder = StateGraph(State)
    builder.add_node("ask", two)
    builder.add_edge(START, "ask")
    models = AskedModels(lambda request, _: said(f"{request.messages[0].content}!"))
    with pytest.raises(KeyError):
        ran(models, builder.compile())
    events = ran(models, builder.compile())
    assert [request.messages[0].content for request in models.requests] == ["one", "two"]
    assert "one! two!" in text_of(events)
    assert models.unused == []


def test_equal_requests_of_nodes_side_by_side_keep_their_own_answers() -> None:
    """STP-06: a node whose result is stored asks no more; the other ones' requests are not taken for its."""
    fails, a_asked = [True], asyncio.Event()
    heard: dict[str, list[str]] = {}

    def branch(name: str) -> Any:
        async def ask(state: State) -> Any:
            answer = await model().ainvoke("Draw a number.")
            heard.setdefault(name, []).append(str(answer.content))
            if name == "a":
                a_asked.set()
            elif fails:
                await a_asked.wait()
                raise KeyError(fails.pop())
            return {"messages": [AIMessage(f"{name}{answer.content}")]}

        return ask

    builder = StateGraph(State)
    for name in ("a", "b"):
        builder.add_node(name, branch(name))
        builder.add_edge(START, name)
    models = AskedModels(lambda _, number: said(f"{number}"))
    with pytest.raises(KeyError):
        ran(models, builder.compile())
    ran(models, builder.compile())
    assert len(models.requests) == 2
    assert {name: set(answers) for name, answers in heard.items()} in (
        {"a": {"1"}, "b": {"2"}},
        {"a": {"2"}, "b": {"1"}},
    )
    assert models.unused == []  # what a stored node had asked is no step that a rerun left out


def test_equal_requests_of_one_nodes_runs_side_by_side_are_each_made_once() -> None:
    fails = [True]

    async def draw(state: dict[str, Any]) -> Any:
        answer = await model().ainvoke("Draw a number.")
        return {"messages": [AIMessage(f"{state['name']}{answer.content}")]}

    async def end(state: State) -> Any:
        if fails:
            raise KeyError(fails.pop())
        return {"messages": [AIMessage("the end")]}

    builder = StateGraph(State)
    builder.add_node("draw", draw)
    builder.add_node("end", end)
    builder.add_conditional_edges(START, lambda _: [Send("draw", {"name": name}) for name in "abc"], ["draw"])
    builder.add_edge("draw", "end")
    models = AskedModels(lambda _, number: said(f"{number}"))
    with pytest.raises(KeyError):
        ran(models, builder.compile())
    again = text_of(ran(models, builder.compile()))
    assert len(models.requests) == 3
    assert all(f"{name}" in again for name in "abc")
    assert Counter(filter(str.isdigit, again)) == Counter("123")


def test_more_requests_at_once_than_a_run_may_make_wait_for_each_other() -> None:
    async def draw(state: dict[str, Any]) -> Any:
        return {"messages": [await model().ainvoke(f"Draw {state['number']}.")]}

    builder = StateGraph(State)
    builder.add_node("draw", draw)
    builder.add_conditional_edges(START, lambda _: [Send("draw", {"number": number}) for number in range(22)], ["draw"])
    models = AskedModels(lambda *_: said("."))
    assert ran(models, builder.compile())[-1]["type"] == "RUN_FINISHED"
    assert len(models.requests) == 22


@pytest.mark.parametrize("blocks", [False, True])
def test_a_run_that_is_closed_closes_the_request(blocks: bool) -> None:
    """Even of a node that waits for it in a thread."""

    def wait(state: State) -> Any:
        return {"messages": [model().invoke("Go on.")]}

    async def await_(state: State) -> Any:
        return {"messages": [await model().ainvoke("Go on.")]}

    builder = StateGraph(State)
    builder.add_node("ask", wait if blocks else await_)
    builder.add_edge(START, "ask")

    async def closed() -> AskedModels:
        models = AskedModels(lambda *_: said("One ", "two."), hangs_at=1)

        async def use(api: AgentRunAPIProxy) -> None:
            source = GraphSource(builder.compile(), NodeCache(api), {}, None, api)
            body = {"threadId": "t", "runId": "r", "messages": [{"id": "m", "role": "user", "content": "go"}]}
            async for _ in source(body):
                pass

        run = asyncio.create_task(models.worker(use))
        await asyncio.wait_for(models.hanging.wait(), 10)
        run.cancel()
        await asyncio.gather(run, return_exceptions=True)
        return models

    models = asyncio.run(closed())
    assert len(models.left) == 1
    assert models.store.of("run") == []
