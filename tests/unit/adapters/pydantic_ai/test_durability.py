"""Requests to models and calls of tools of a Pydantic AI agent are made once, whatever worker goes on (AGT-02)."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from pydantic import BaseModel
from pydantic_ai import Agent, ModelRetry, ToolFailed
from pydantic_ai.exceptions import ApprovalRequired, CallDeferred, ModelAPIError, ModelHTTPError
from pydantic_ai.messages import BinaryImage, ModelMessage, ModelResponse, TextPart, ToolReturn
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, DeltaToolCalls, FunctionModel

from tests.support.runners.step_host import StepHost
from yarrow.adapters.pydantic_ai import tool_results
from yarrow.adapters.pydantic_ai.durability import DurableSteps


class Model:
    """A model that calls `act` once, then says how often it was asked; it fails at these requests."""

    def __init__(self, failing: tuple[int, ...] = ()) -> None:
        self.requests = 0
        self._failing = failing

    async def stream(self, messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[str | DeltaToolCalls]:
        self.requests += 1
        if self.requests in self._failing:
            raise ModelHTTPError(503, "scripted")
        if any(isinstance(message, ModelResponse) for message in messages):
            for piece in ("I asked ", "once."):
                yield piece
        else:
            yield {0: DeltaToolCall(name="act", json_args='{"number": 1}')}

    async def whole(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        self.requests += 1
        return ModelResponse(parts=[TextPart("Hello.")])

    def model(self) -> FunctionModel:
        return FunctionModel(self.whole, stream_function=self.stream, model_name="scripted")


def agent_of(model: Model, act: Callable[[int], Any]) -> Agent[None, str]:
    agent = Agent(model.model())
    agent.tool_plain(name="act")(act)
    return agent


async def streamed(agent: Agent[None, str], host: StepHost, prompt: str = "go") -> str:
    async with agent.run_stream(prompt, capabilities=[DurableSteps(host.api(), {})]) as result:
        return "".join([piece async for piece in result.stream_text(delta=True)])


def test_a_later_worker_asks_no_model_and_calls_no_tool_again() -> None:
    """AGT-02, STP-01."""
    host, model, acted = StepHost(), Model(), []

    def act(number: int) -> str:
        acted.append(number)
        return "done"

    agent = agent_of(model, act)
    first = asyncio.run(streamed(agent, host))
    assert asyncio.run(streamed(agent, host)) == first == "I asked once."
    assert (model.requests, acted) == (2, [1])
    assert sorted(name for name, _, _ in host.stored) == ["model scripted", "model scripted", "tool act"]


def test_other_messages_are_another_request() -> None:
    """STP-06."""
    host, model = StepHost(), Model()
    agent = agent_of(model, lambda _: "done")
    asyncio.run(streamed(agent, host, "go"))
    asyncio.run(streamed(agent, host, "go elsewhere"))
    assert model.requests == 4


def test_a_request_that_is_not_streamed_is_a_step_too() -> None:
    host, model = StepHost(), Model()
    agent = Agent(model.model())
    for _ in range(2):
        result = asyncio.run(agent.run("hello", capabilities=[DurableSteps(host.api(), {})]))
        assert result.output == "Hello."
    assert model.requests == 1


def test_a_failed_request_fails_in_a_rerun_as_well() -> None:
    """The first time it is the provider's own exception, which the agent's error handling knows."""
    host, model = StepHost(), Model(failing=(1,))
    agent = agent_of(model, lambda _: "done")
    with pytest.raises(ModelHTTPError):
        asyncio.run(streamed(agent, host))
    with pytest.raises(ModelAPIError, match="503"):
        asyncio.run(streamed(agent, host))
    assert model.requests == 1


def test_a_request_that_is_cancelled_is_left_and_made_again() -> None:
    host, waits = StepHost(), asyncio.Event()
    requests = 0

    async def stream(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[str]:
        nonlocal requests
        requests += 1
        yield "I begin"
        if requests == 1:
            waits.set()
            await asyncio.Event().wait()

    agent = Agent(FunctionModel(stream_function=stream, model_name="scripted"))

    async def cancelled() -> None:
        run = asyncio.create_task(streamed(agent, host))
        await waits.wait()
        run.cancel()
        with pytest.raises(asyncio.CancelledError):
            await run
        await asyncio.sleep(0)  # the host hears of it in the background

    asyncio.run(cancelled())
    assert (host.left, host.stored) == (["model scripted"], {})
    assert asyncio.run(streamed(agent, host)) == "I begin"
    assert requests == 2


class Weather(BaseModel):
    degrees: int


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("sunny", "sunny"),
        (None, None),
        (Weather(degrees=20), {"degrees": 20}),
        ([1, "two"], [1, "two"]),
        (BinaryImage(b"abc", media_type="image/png"), BinaryImage(b"abc", media_type="image/png")),
        (
            ToolReturn("seen", content=["look", BinaryImage(b"abc", media_type="image/png")], metadata={"a": 1}),
            ToolReturn("seen", content=["look", BinaryImage(b"abc", media_type="image/png")], metadata={"a": 1}),
        ),
    ],
)
def test_a_tools_value_comes_back_as_the_model_got_it(value: Any, expected: Any) -> None:
    async def made() -> Any:
        return (await tool_results.outcome_of(_returning(value)))[1]

    stored = json.loads(json.dumps(asyncio.run(made())))
    assert tool_results.loaded(stored).unwrap() == expected


async def _returning(value: Any) -> Any:
    return value


@pytest.mark.parametrize(
    "error",
    [
        ModelRetry("again"),
        ToolFailed("no such city"),
        ApprovalRequired({"cost": 3}),
        CallDeferred({"job": "j"}, kind="question"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_what_a_tool_says_by_raising_is_said_again(error: Exception) -> None:
    async def raising() -> Any:
        raise error

    outcome, stored = asyncio.run(tool_results.outcome_of(raising()))
    again = tool_results.loaded(json.loads(json.dumps(stored)))
    for one in (outcome, again):
        with pytest.raises(type(error)) as caught:
            one.unwrap()
        assert vars(caught.value) == vars(error)
