"""Requests to models and calls of tools of an OpenAI agent are made once, whatever worker goes on (AGT-02)."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

pytest.importorskip("agents", reason="openai-agents is not installed: make frameworks")

from agents import (
    Agent,
    AgentOutputSchema,
    FunctionTool,
    GuardrailFunctionOutput,
    InputGuardrail,
    OutputGuardrail,
    RunConfig,
    Runner,
    ToolGuardrailFunctionOutput,
    ToolInputGuardrail,
    ToolOutputGuardrail,
    ToolOutputImage,
    ToolOutputText,
    function_tool,
    handoff,
)

from tests.support.models.openai_agents_model import Call, Refusal, Said, ScriptedModel, Thought
from tests.support.runners.step_host import StepHost
from yarrow.adapters.openai_agents import tool_outputs
from yarrow.adapters.openai_agents.durability import Steps
from yarrow.adapters.openai_agents.source import AgentSource

UNTRACED = RunConfig(tracing_disabled=True)


class Model:
    """A model that calls `act` once, then says how often it was asked and what it was told."""

    def __init__(self, *failing: int) -> None:
        self.requests = 0
        self._failing = failing

    async def script(self, items: list[Any]) -> Sequence[Said]:
        self.requests += 1
        if self.requests in self._failing:
            raise ConnectionError("scripted")
        if items[-1].get("type") == "function_call_output":
            return "I asked once: ", str(items[-1]["output"])
        return "I ask. ", Call("act", "call-1", {"number": 1})

    def agent(self, *tools: FunctionTool, **options: Any) -> Agent[Any]:
        return Agent(name="Counted", model=ScriptedModel(self.script), tools=[*tools], **options)


class Tool:
    """A tool that counts its calls."""

    def __init__(self, output: Any = "done") -> None:
        self.calls: list[int] = []
        self._output = output

    def tool(self, **options: Any) -> FunctionTool:
        def act(number: int) -> Any:
            self.calls.append(number)
            if isinstance(self._output, Exception):
                raise self._output
            return self._output

        tool: FunctionTool = function_tool(**options)(act)
        return tool


def body(content: Any = "go", *tools: str, **members: Any) -> dict[str, Any]:
    offered = [{"name": tool, "description": "", "parameters": {"type": "object", "properties": {}}} for tool in tools]
    messages = [{"id": "m", "role": "user", "content": content}]
    return {"threadId": "t", "runId": "r", "messages": messages, "tools": offered, **members}


def source(agent: Agent[Any], host: StepHost) -> AgentSource:
    """The source of another worker."""
    api = host.api()
    return AgentSource(agent, UNTRACED, lambda: Steps(api, {}), max_turns=3)


async def events(of: AgentSource, request: dict[str, Any] | None = None) -> list[Any]:
    return [event async for event in of(request or body())]


def heard(agent: Agent[Any], host: StepHost, request: dict[str, Any] | None = None) -> list[Any]:
    return asyncio.run(events(source(agent, host), request))


def said(found: list[Any]) -> str:
    return "".join(event["delta"] for event in found if event["type"] == "TEXT_MESSAGE_CONTENT")


def test_a_later_worker_asks_no_model_and_calls_no_tool_again() -> None:
    """AGT-02, STP-01."""
    host, model, tool = StepHost(), Model(), Tool()
    agent = model.agent(tool.tool())
    first = heard(agent, host)
    second = heard(agent, host)
    assert said(first) == said(second) == "I ask. I asked once: done"
    assert (model.requests, tool.calls) == (2, [1])
    assert sorted(name for name, _, _ in host.stored) == ["model scripted", "model scripted", "tool act"]
    counts = {"inputTokens": 20, "outputTokens": 4, "cachedInputTokens": 8, "reasoningTokens": 0}
    assert first[-1]["usage"] == second[-1]["usage"] == [{"model": "scripted", **counts}]


def test_other_messages_are_another_request() -> None:
    """STP-06."""
    host, model = StepHost(), Model()
    agent = model.agent(Tool().tool())
    heard(agent, host, body("go"))
    heard(agent, host, body("go elsewhere"))
    assert model.requests == 4


def test_without_a_run_an_agent_acts_as_before() -> None:
    """Although its models and tools were wrapped."""
    host, model, tool = StepHost(), Model(), Tool()
    agent = model.agent(tool.tool())
    heard(agent, host)
    for _ in range(2):
        assert asyncio.run(Runner.run(agent, "go", run_config=UNTRACED)).final_output == "I asked once: done"
    assert (model.requests, tool.calls, len(host.stored)) == (6, [1, 1, 1], 3)


def test_an_agent_that_is_a_tool_makes_steps_of_its_own() -> None:
    """It is run without streaming; its own tools and approvals are those of the run."""
    host, model, tool = StepHost(), Model(), Tool()
    nested = model.agent(tool.tool())

    async def script(items: list[Any]) -> Sequence[Said]:
        if items[-1].get("type") == "function_call_output":
            return ("It said: ", items[-1]["output"])
        return (Call("ask", "call-2", {"input": "go"}),)

    outer = Agent(name="Outer", model=ScriptedModel(script), tools=[nested.as_tool("ask", "asks")])
    for _ in range(2):
        assert said(heard(outer, host)) == "It said: I asked once: done"
    assert (model.requests, tool.calls) == (2, [1])


@pytest.mark.parametrize("is_object", [True, False])
def test_the_agent_that_a_handoff_names_is_durable(*, is_object: bool) -> None:
    host, model, tool = StepHost(), Model(), Tool()
    specialist = model.agent(tool.tool())

    async def script(items: list[Any]) -> Sequence[Said]:
        return (Call("transfer_to_counted", "call-2"),)

    target = handoff(specialist) if is_object else specialist
    triage = Agent(name="Triage", model=ScriptedModel(script), handoffs=[target])

    async def rounds(items: list[Any]) -> Sequence[Said]:
        return await model.script([{}] if items[-1].get("call_id") == "call-2" else items)

    specialist.model = ScriptedModel(rounds)
    for _ in range(2):
        found = heard(triage, host)
        assert said(found) == "I ask. I asked once: done"
        assert [event["toolCallName"] for event in found if event["type"] == "TOOL_CALL_START"] == [
            "transfer_to_counted",
            "act",
        ]
    assert (model.requests, tool.calls) == (2, [1])


def test_a_request_that_fails_is_made_again_by_a_rerun() -> None:
    host, model = StepHost(), Model(1)
    agent = model.agent(Tool().tool())
    with pytest.raises(ConnectionError):
        heard(agent, host)
    assert host.stored == {}
    assert said(heard(agent, host)) == "I ask. I asked once: done"


def test_a_tool_that_fails_tells_the_model_so_in_a_rerun_as_well() -> None:
    host, model, tool = StepHost(), Model(), Tool(ValueError("no such city"))
    agent = model.agent(tool.tool())
    first = said(heard(agent, host))
    assert "An error occurred" in first
    assert said(heard(agent, host)) == first
    assert (model.requests, tool.calls) == (2, [1])


def test_a_tool_without_an_error_function_fails_the_run_again() -> None:
    host, tool = StepHost(), Tool(ValueError("no such city"))
    agent = Model().agent(tool.tool(failure_error_function=None))
    for _ in range(2):
        with pytest.raises(Exception, match="no such city"):
            heard(agent, host)
    assert tool.calls == [1]


@pytest.mark.parametrize("approved", [True, False])
def test_an_approval_is_an_interrupt_and_its_answer_goes_on(*, approved: bool) -> None:
    """ASK-01: the next worker comes to the same question and asks no model again."""
    host, model, tool = StepHost(), Model(), Tool()
    agent = model.agent(tool.tool(needs_approval=True))
    for calls in ([1] if approved else [], [1] if approved else []):
        of = source(agent, host)
        outcome = asyncio.run(_answered(of, {"approved": approved, "reason": "not today"}))
        assert said(outcome) == f"I asked once: {'done' if approved else 'not today'}"
        assert tool.calls == calls
    assert model.requests == 2


async def _answered(of: AgentSource, payload: dict[str, Any]) -> list[Any]:
    (interrupt,) = (await events(of))[-1]["outcome"]["interrupts"]
    assert (interrupt["reason"], interrupt["toolCallId"]) == ("tool_call", "call-1")
    assert interrupt["message"] == 'Approve act({"number": 1})?'
    resume = [{"interruptId": interrupt["id"], "status": "resolved", "payload": payload}]
    return await events(of, body(resume=resume))


@pytest.mark.parametrize(("number", "asks"), [(1, False), (2, True), ("2", True), ("1", True)])
def test_a_policy_of_approvals_sees_what_it_saw_before(number: Any, asks: bool) -> None:
    """Arguments that the tool would get otherwise than the policy sees them need an approval, as the SDK has it."""

    async def large(context: Any, parameters: dict[str, Any], call_id: str) -> bool:
        return bool(parameters["number"] > 1)

    async def script(items: list[Any]) -> Sequence[Said]:
        is_told = items[-1].get("type") == "function_call_output"
        return ("Done.",) if is_told else (Call("act", "call-1", {"number": number}),)

    agent = Agent(name="Careful", model=ScriptedModel(script), tools=[Tool().tool(needs_approval=large)])
    found = heard(agent, StepHost())
    assert ("outcome" in found[-1]) is asks


def test_a_call_of_the_clients_tool_is_left_to_the_client() -> None:
    async def script(items: list[Any]) -> Sequence[Said]:
        return Call("act", "call-1", {"number": 1}), Call("locate", "call-2")

    agent = Agent(name="Client", model=ScriptedModel(script), tools=[Tool().tool()])
    found = heard(agent, StepHost(), body("go", "locate"))
    assert "outcome" not in found[-1]
    assert [event["toolCallId"] for event in found if event["type"] == "TOOL_CALL_START"] == ["call-1", "call-2"]
    assert [event["toolCallId"] for event in found if event["type"] == "TOOL_CALL_RESULT"] == ["call-1"]
    assert [tool.name for tool in agent.tools] == ["act"]


def test_too_many_turns_fail_the_run_with_a_code() -> None:
    async def script(items: list[Any]) -> Sequence[Said]:
        return (Call("act", f"call-{len(items)}", {"number": 1}),)

    agent = Agent(name="Endless", model=ScriptedModel(script), tools=[Tool().tool()])
    (*_, last) = heard(agent, StepHost())
    assert (last["type"], last["code"]) == ("RUN_ERROR", "openai_agents.max_turns_exceeded")
    assert last["usage"][0]["inputTokens"] == 30


def tripped(*_: Any) -> GuardrailFunctionOutput:
    return GuardrailFunctionOutput(output_info=None, tripwire_triggered=True)


def refused(*_: Any) -> ToolGuardrailFunctionOutput:
    return ToolGuardrailFunctionOutput.raise_exception()


@pytest.mark.parametrize(
    ("of_the_agent", "of_the_tool", "code"),
    [
        ({"input_guardrails": [InputGuardrail(tripped)]}, {}, "input_guardrail"),
        ({"output_guardrails": [OutputGuardrail(tripped)]}, {}, "output_guardrail"),
        ({}, {"tool_input_guardrails": [ToolInputGuardrail(refused)]}, "tool_input_guardrail"),
        ({}, {"tool_output_guardrails": [ToolOutputGuardrail(refused)]}, "tool_output_guardrail"),
    ],
)
def test_a_guardrail_fails_the_run_with_a_code(
    of_the_agent: dict[str, Any], of_the_tool: dict[str, Any], code: str
) -> None:
    host = StepHost()
    agent = Model().agent(Tool().tool(**of_the_tool), **of_the_agent)
    for _ in range(2):
        (*_, last) = heard(agent, host)
        assert (last["type"], last["code"]) == ("RUN_ERROR", f"openai_agents.{code}")


def test_reasoning_is_shown_and_is_the_same_in_a_rerun() -> None:
    host = StepHost()

    async def script(items: list[Any]) -> Sequence[Said]:
        return Thought("I weigh "), Thought("it."), "Yes."

    for _ in range(2):
        found = heard(Agent(name="Thoughtful", model=ScriptedModel(script)), host)
        kinds = [event["type"] for event in found if event["type"].endswith("_CONTENT")]
        thoughts = [event["delta"] for event in found if event["type"] == "REASONING_MESSAGE_CONTENT"]
        assert ("".join(thoughts), said(found)) == ("I weigh it.", "Yes.")
        assert kinds == sorted(kinds)  # reasoning comes before text


def test_a_refusal_of_structured_output_fails_the_run_with_a_code() -> None:
    async def script(items: list[Any]) -> Sequence[Said]:
        return (Refusal("I will not."),)

    schema = AgentOutputSchema(dict[str, int], strict_json_schema=False)
    agent = Agent(name="Shy", model=ScriptedModel(script), output_type=schema)
    (*_, last) = heard(agent, StepHost())
    assert (last["type"], last["code"]) == ("RUN_ERROR", "openai_agents.refused")


def test_a_nested_agents_approval_is_an_interrupt_of_the_run() -> None:
    """It names no call, since the client has seen only that of the nested agent."""
    host, model, tool = StepHost(), Model(), Tool()
    nested = model.agent(tool.tool(needs_approval=True))

    async def script(items: list[Any]) -> Sequence[Said]:
        if items[-1].get("type") == "function_call_output":
            return ("It said: ", items[-1]["output"])
        return (Call("ask", "call-2", {"input": "go"}),)

    outer = Agent(name="Outer", model=ScriptedModel(script), tools=[nested.as_tool("ask", "asks")])

    async def answered(of: AgentSource) -> list[Any]:
        (interrupt,) = (await events(of))[-1]["outcome"]["interrupts"]
        assert "toolCallId" not in interrupt
        payload = {"interruptId": interrupt["id"], "status": "resolved", "payload": {"approved": True}}
        return await events(of, body(resume=[payload]))

    for _ in range(2):
        assert said(asyncio.run(answered(source(outer, host)))) == "It said: I asked once: done"
    assert (model.requests, tool.calls) == (2, [1])


def test_a_run_that_is_closed_in_mid_stream_stops_its_request_and_leaves_it() -> None:
    host, stopped = StepHost(), asyncio.Event()

    async def script(items: list[Any]) -> Sequence[Said]:
        return "I begin", " and go on"

    async def pause() -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            stopped.set()
            raise

    agent = Agent(name="Slow", model=ScriptedModel(script, pause))

    async def closed() -> None:
        stream = source(agent, host)(body())
        async for event in stream:
            if event["type"] == "TEXT_MESSAGE_CONTENT":
                break
        await stream.aclose()
        await asyncio.sleep(0)  # the host hears of it in the background
        assert stopped.is_set()

    asyncio.run(closed())
    assert (host.left, host.stored) == (["model scripted"], {})


def test_pictures_reach_the_model_as_the_provider_takes_them() -> None:
    asked: list[Any] = []

    async def script(items: list[Any]) -> Sequence[Said]:
        asked.extend(items)
        return ("Seen.",)

    picture = {"type": "image", "source": {"type": "data", "value": "YWJj", "mimeType": "image/png"}}
    heard(
        Agent(name="Seeing", model=ScriptedModel(script)),
        StepHost(),
        body([{"type": "text", "text": "What is it?"}, picture]),
    )
    assert asked[0]["content"] == [
        {"type": "input_text", "text": "What is it?"},
        {"type": "input_image", "image_url": "data:image/png;base64,YWJj", "detail": "auto"},
    ]


@pytest.mark.parametrize(
    ("output", "shown"),
    [
        ("sunny", "sunny"),
        (None, "None"),
        ({"degrees": 20}, "{'degrees': 20}"),
        ((1, 2), "(1, 2)"),
        ({1: True}, "{1: True}"),
        (ToolOutputText(text="seen"), [{"type": "text", "text": "seen"}]),
        (
            [ToolOutputImage(image_url="data:image/png;base64,YWJj")],
            [{"type": "image", "source": {"type": "data", "mimeType": "image/png", "value": "YWJj"}}],
        ),
    ],
)
def test_an_output_tells_the_model_the_same_in_a_rerun(output: Any, shown: Any) -> None:
    """The second request has the same messages, or it would be made again."""
    host, model = StepHost(), Model()
    agent = model.agent(Tool(output).tool())
    for _ in range(2):
        (result,) = [event for event in heard(agent, host) if event["type"] == "TOOL_CALL_RESULT"]
        assert result["content"] == shown
    assert model.requests == 2


def test_an_output_that_json_cannot_show_is_stored_as_its_text() -> None:
    class City:
        def __str__(self) -> str:
            return "Hamburg"

    assert tool_outputs.loaded(tool_outputs.document(City(), is_typed=False)) == "Hamburg"
