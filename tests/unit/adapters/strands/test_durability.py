"""Requests to models and calls of tools of a Strands agent are made once, whatever worker goes on (AGT-02)."""

import asyncio
import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from pydantic import BaseModel

pytest.importorskip("strands", reason="strands-agents is not installed: make frameworks")

from strands import Agent, ToolContext, tool
from strands.hooks import AfterToolCallEvent, BeforeToolCallEvent
from strands.vended_interventions.hitl import HumanInTheLoop

from tests.support.models.strands_model import Call, Said, ScriptedModel, Thought, results_of
from tests.support.runners.step_host import StepHost
from yarrow.adapters.strands.durability import Steps
from yarrow.adapters.strands.source import AgentSource


class Model:
    """A model that calls `act` once, then says how often it was asked and what it was told."""

    def __init__(self, *calls: Call) -> None:
        self.requests = 0
        self.asked: list[Any] = []
        self._calls = calls or (Call("act", "call-1", {"number": 1}),)

    async def script(self, messages: list[Any]) -> Sequence[Said]:
        self.requests += 1
        self.asked.append(messages)
        if results := results_of(messages):
            return "I asked once: ", *(text(result) for result in results)
        return "I ask. ", *self._calls

    def agent(self, *tools: Any, **options: Any) -> Agent:
        return Agent(model=ScriptedModel(self.script), tools=[*tools], callback_handler=None, **options)


def text(result: Any) -> str:
    return json.dumps([block for block in result["content"] if "text" in block or "json" in block])


class Tool:
    """A tool that counts its calls."""

    def __init__(self, act: Callable[[int], Any] = lambda number: f"done {number}") -> None:
        self.calls: list[int] = []
        self._act = act

    def tool(self, name: str = "act") -> Any:
        def act(number: int) -> Any:
            """Act."""
            self.calls.append(number)
            return self._act(number)

        return tool(name=name)(act)


def body(content: Any = "go", *tools: str, **members: Any) -> dict[str, Any]:
    schema = {"type": "object", "properties": {}}
    offered = [{"name": name, "description": "of the client", "parameters": schema} for name in tools]
    messages = [{"id": "m", "role": "user", "content": content}]
    return {"threadId": "t", "runId": "r", "messages": messages, "tools": offered, **members}


def source(agent: Agent, host: StepHost, **options: Any) -> AgentSource:
    """The source of another worker."""
    api = host.api()
    return AgentSource(agent, {}, lambda offered: Steps(api, {}, offered), options)


async def events(of: AgentSource, request: dict[str, Any] | None = None) -> list[Any]:
    return [event async for event in of(request or body())]


def heard(agent: Agent, host: StepHost, request: dict[str, Any] | None = None, **options: Any) -> list[Any]:
    return asyncio.run(events(source(agent, host, **options), request))


def said(found: list[Any]) -> str:
    return "".join(event["delta"] for event in found if event["type"] == "TEXT_MESSAGE_CONTENT")


def of_type(found: list[Any], kind: str, member: str) -> list[Any]:
    return [event[member] for event in found if event["type"] == kind]


DONE = 'I ask. I asked once: [{"text": "done 1"}]'


def test_a_later_worker_asks_no_model_and_calls_no_tool_again() -> None:
    """AGT-02, STP-01."""
    host, model, act = StepHost(), Model(), Tool()
    first = heard(model.agent(act.tool()), host)
    second = heard(model.agent(act.tool()), host)
    assert said(first) == said(second) == DONE
    assert of_type(first, "TOOL_CALL_RESULT", "content") == of_type(second, "TOOL_CALL_RESULT", "content") == ["done 1"]
    assert (model.requests, act.calls) == (2, [1])
    assert sorted(name for name, _, _ in host.stored) == ["model scripted", "model scripted", "tool act"]
    counts = {"inputTokens": 20, "outputTokens": 4, "totalTokens": 24, "cachedInputTokens": 8}
    assert first[-1]["usage"] == second[-1]["usage"] == [{"model": "scripted", **counts}]


def test_other_messages_are_another_request() -> None:
    """STP-06."""
    host, model = StepHost(), Model()
    heard(model.agent(Tool().tool()), host, body("go"))
    heard(model.agent(Tool().tool()), host, body("go elsewhere"))
    assert model.requests == 4


def test_without_a_run_an_agent_acts_as_before() -> None:
    """Although it was attached to one."""
    host, model, act = StepHost(), Model(), Tool()
    agent = model.agent(act.tool())
    heard(agent, host)
    agent.messages = []
    asyncio.run(agent.invoke_async("go"))
    assert (model.requests, act.calls, len(host.stored)) == (4, [1, 1], 3)


def test_results_that_come_in_another_order_are_the_same_request() -> None:
    """Calls run side by side, and a rerun gets their results at once."""
    host, model = StepHost(), Model(Call("slow", "call-1", {"number": 1}), Call("act", "call-2", {"number": 2}))
    ended = asyncio.Event()

    @tool
    async def slow(number: int) -> str:
        """Wait until the other call has ended."""
        await asyncio.wait_for(ended.wait(), 5)
        return "slow"

    async def told(event: AfterToolCallEvent) -> None:
        if event.tool_use["name"] == "act":
            ended.set()

    act = Tool()
    heard(model.agent(slow, act.tool(), hooks=[told]), host)
    assert "slow" in said(heard(model.agent(slow, act.tool()), host))
    assert (model.requests, act.calls) == (2, [2])


def test_an_agent_that_is_a_tool_makes_steps_of_its_own() -> None:
    """If the worker dies in it, its requests are not made again."""
    host, model, act = StepHost(), Model(), Tool()

    async def script(messages: list[Any]) -> Sequence[Said]:
        if results := results_of(messages):
            return "It said: ", text(results[0])
        return (Call("ask", "call-2", {"input": "go"}),)

    def outer() -> Agent:
        nested = model.agent(act.tool()).as_tool(name="ask", description="asks")
        return Agent(model=ScriptedModel(script), tools=[nested], callback_handler=None)

    first = said(heard(outer(), host))
    assert first.startswith("It said: ")
    del host.stored[next(key for key in host.stored if key[0] == "tool ask")]  # as if the worker had died before
    assert said(heard(outer(), host)) == first
    assert (model.requests, act.calls) == (2, [1])


def test_a_request_that_fails_is_made_again_by_a_rerun() -> None:
    host, model = StepHost(), Model()
    fails = True

    async def script(messages: list[Any]) -> Sequence[Said]:
        if fails:
            raise ConnectionError("scripted")
        return await model.script(messages)

    agent = Agent(model=ScriptedModel(script), tools=[Tool().tool()], callback_handler=None)
    with pytest.raises(Exception, match="scripted"):
        heard(agent, host)
    assert host.stored == {}
    fails = False
    assert said(heard(agent, host)) == DONE


def test_a_tool_that_fails_tells_the_model_so_in_a_rerun_as_well() -> None:
    def fail(number: int) -> Any:
        raise ValueError("no such city")

    host, model, act = StepHost(), Model(), Tool(fail)
    first = said(heard(model.agent(act.tool()), host))
    assert "no such city" in first
    assert said(heard(model.agent(act.tool()), host)) == first
    assert (model.requests, act.calls) == (2, [1])


def test_pictures_reach_the_model_and_come_from_tools() -> None:
    """Bytes are stored, and are bytes again in a rerun."""

    def photograph(number: int) -> Any:
        return {"status": "success", "content": [{"image": {"format": "png", "source": {"bytes": b"abc"}}}]}

    host, model = StepHost(), Model()
    picture = {"type": "image", "source": {"type": "data", "value": "YWJj", "mimeType": "image/png"}}
    request = body([{"type": "text", "text": "What is it?"}, picture])
    for _ in range(2):
        (shown,) = of_type(heard(model.agent(Tool(photograph).tool()), host, request), "TOOL_CALL_RESULT", "content")
        assert shown == [picture]
    image = {"image": {"format": "png", "source": {"bytes": b"abc"}}}
    assert model.requests == 2
    assert model.asked[0][0]["content"] == [{"text": "What is it?"}, image]
    assert results_of(model.asked[1])[0]["content"] == [image]


def test_what_a_call_changes_in_the_agents_state_is_changed_in_a_rerun() -> None:
    host, model = StepHost(), Model()

    @tool(context=True)
    def act(number: int, tool_context: ToolContext) -> str:
        """Act."""
        tool_context.agent.state.set("acted", number)
        tool_context.agent.state.delete("idle")
        tool_context.invocation_state["request_state"]["acted"] = number
        tool_context.agent.cancel(message="That is all.", after_current_tools=True)
        return "done"

    for _ in range(2):
        own: dict[str, Any] = {}
        agent = model.agent(act, state={"idle": True, "kept": 1})
        assert said(heard(agent, host, invocation_state=own)) == "I ask. That is all."
        assert agent.state.get() == {"acted": 1, "kept": 1}
        assert own["request_state"] == {"acted": 1}
    assert model.requests == 1


@pytest.mark.parametrize("approved", [True, False])
def test_an_approval_of_strands_is_a_question_of_yes_or_no(*, approved: bool) -> None:
    """ASK-01: the next worker comes to the same question and asks no model again."""
    host, model, act = StepHost(), Model(), Tool()
    for _ in range(2):
        agent = model.agent(act.tool(), interventions=[HumanInTheLoop()])
        interrupt, found = asyncio.run(_answered(source(agent, host), {"approved": approved}))
        assert (interrupt["reason"], interrupt["toolCallId"]) == ("tool_call", "call-1")
        assert interrupt["message"].startswith('Approve "act"?')
        assert ("done 1" in said(found)) is approved
        assert act.calls == ([1] if approved else [])
    assert model.requests == 2


def test_an_interrupt_of_a_hook_gets_the_payload() -> None:
    schema = {"type": "object", "properties": {"city": {"type": "string"}}}
    told: list[Any] = []

    def ask(event: BeforeToolCallEvent) -> None:
        told.append(event.interrupt("where", reason={"message": "Where?", "responseSchema": schema}))

    host, model, act = StepHost(), Model(), Tool()
    for _ in range(2):
        agent = model.agent(act.tool(), hooks=[ask])
        interrupt, found = asyncio.run(_answered(source(agent, host), {"city": "Hamburg"}))
        assert interrupt | {"id": ""} == {
            "id": "",
            "reason": "input",
            "message": "Where?",
            "responseSchema": schema,
            "toolCallId": "call-1",
        }
        assert said(found) == 'I asked once: [{"text": "done 1"}]'
    assert told == [{"city": "Hamburg"}] * 2
    assert (model.requests, act.calls) == (2, [1])


def test_a_question_that_was_cancelled_is_answered_so() -> None:
    told: list[Any] = []

    def ask(event: BeforeToolCallEvent) -> None:
        told.append(event.interrupt("where", reason="Where?"))

    async def cancelled(of: AgentSource) -> list[Any]:
        (interrupt,) = (await events(of))[-1]["outcome"]["interrupts"]
        assert interrupt["message"] == "Where?"
        return await events(of, body(resume=[{"interruptId": interrupt["id"], "status": "cancelled"}]))

    found = asyncio.run(cancelled(source(Model().agent(Tool().tool(), hooks=[ask]), StepHost())))
    assert found[-1]["type"] == "RUN_FINISHED"
    assert told == [{"status": "cancelled"}]


async def _answered(of: AgentSource, payload: Any) -> tuple[dict[str, Any], list[Any]]:
    (interrupt,) = (await events(of))[-1]["outcome"]["interrupts"]
    resume = [{"interruptId": interrupt["id"], "status": "resolved", "payload": payload}]
    return interrupt, await events(of, body(resume=resume))


def test_a_call_of_the_clients_tool_is_left_to_the_client() -> None:
    """What another call beside it has given is shown."""
    model = Model(Call("act", "call-1", {"number": 1}), Call("locate", "call-2"))
    agent = model.agent(Tool().tool())
    found = heard(agent, StepHost(), body("go", "locate"))
    assert "outcome" not in found[-1]
    assert of_type(found, "TOOL_CALL_START", "toolCallId") == ["call-1", "call-2"]
    assert of_type(found, "TOOL_CALL_RESULT", "toolCallId") == ["call-1"]
    assert agent.tool_names == ["act"]


def test_the_agent_goes_on_when_the_host_has_made_a_call() -> None:
    """The further request has the result in its messages, and no answer to an interrupt."""
    model = Model(Call("locate", "call-1"))
    call = {"id": "call-1", "function": {"name": "locate", "arguments": "{}"}}
    answered = [
        *body()["messages"],
        {"id": "2", "role": "assistant", "toolCalls": [call]},
        {"id": "3", "role": "tool", "toolCallId": "call-1", "content": "in Hamburg"},
    ]

    async def both(of: AgentSource) -> list[Any]:
        await events(of, body("go", "locate"))
        return await events(of, body("go", "locate", messages=answered))

    assert "in Hamburg" in said(asyncio.run(both(source(model.agent(), StepHost()))))


def test_a_conversation_goes_on_with_its_calls() -> None:
    """Strands takes turns of user and assistant: results and texts of one side are one message."""
    model = Model()
    call = {"id": "call-1", "function": {"name": "act", "arguments": '{"number": 1}'}}
    messages = [
        {"id": "1", "role": "user", "content": "go"},
        {"id": "2", "role": "assistant", "content": "I ask.", "toolCalls": [call]},
        {"id": "3", "role": "tool", "toolCallId": "call-1", "content": "done 1"},
    ]
    assert said(heard(model.agent(Tool().tool()), StepHost(), body(messages=messages))) == DONE.removeprefix("I ask. ")
    use = {"toolUse": {"toolUseId": "call-1", "name": "act", "input": {"number": 1}}}
    result = {"toolUseId": "call-1", "status": "success", "content": [{"text": "done 1"}]}
    assert [(message["role"], message["content"]) for message in model.asked[0]] == [
        ("user", [{"text": "go"}]),
        ("assistant", [{"text": "I ask."}, use]),
        ("user", [{"toolResult": result}]),
    ]


def test_reasoning_is_shown_and_is_the_same_in_a_rerun() -> None:
    host = StepHost()

    async def script(messages: list[Any]) -> Sequence[Said]:
        return Thought("I weigh "), Thought("it."), "Yes."

    for _ in range(2):
        found = heard(Agent(model=ScriptedModel(script), callback_handler=None), host)
        assert "".join(of_type(found, "REASONING_MESSAGE_CONTENT", "delta")) == "I weigh it."
        assert said(found) == "Yes."


class Weather(BaseModel):
    """What the weather is like."""

    degrees: int


def test_structured_output_is_made_again_of_the_stored_response() -> None:
    host, requests = StepHost(), []

    async def script(messages: list[Any]) -> Sequence[Said]:
        requests.append(messages)
        return (Call("Weather", f"call-{len(messages)}", {"degrees": 20}),)

    for _ in range(2):
        agent = Agent(model=ScriptedModel(script), callback_handler=None, structured_output_model=Weather)
        found = heard(agent, host)
        assert found[-1]["type"] == "RUN_FINISHED"
        assert of_type(found, "TOOL_CALL_ARGS", "delta") == ['{"degrees": 20}']
    assert len(requests) == 1


def test_a_limit_fails_the_run_with_a_code() -> None:
    async def script(messages: list[Any]) -> Sequence[Said]:
        return (Call("act", f"call-{len(messages)}", {"number": 1}),)

    agent = Agent(model=ScriptedModel(script), tools=[Tool().tool()], callback_handler=None)
    (*_, last) = heard(agent, StepHost(), limits={"turns": 3})
    assert (last["type"], last["code"]) == ("RUN_ERROR", "strands.limit_turns")
    assert last["usage"][0]["inputTokens"] == 30


def test_a_run_that_is_closed_in_mid_stream_stops_its_request_and_leaves_it() -> None:
    host, stopped = StepHost(), asyncio.Event()

    async def script(messages: list[Any]) -> Sequence[Said]:
        return "I begin", " and go on"

    async def pause() -> None:
        try:
            await asyncio.Event().wait()
        except BaseException:
            stopped.set()
            raise

    model = ScriptedModel(script, pause)
    agent = Agent(model=model, callback_handler=None)

    async def closed() -> None:
        stream = source(agent, host)(body())

        async def begin() -> None:
            async for event in stream:
                if event["type"] == "TEXT_MESSAGE_CONTENT":
                    begun.set()

        begun = asyncio.Event()
        run = asyncio.create_task(begin())
        await begun.wait()
        run.cancel()
        await asyncio.gather(run, return_exceptions=True)
        await asyncio.sleep(0)  # the host hears of it in the background
        assert stopped.is_set()

    asyncio.run(closed())
    assert model.signal is not None
    assert model.signal.is_set()  # for a model that reads in a thread
    assert not agent.cancel_signal.is_set()
    assert (host.left, host.stored) == (["model scripted"], {})
