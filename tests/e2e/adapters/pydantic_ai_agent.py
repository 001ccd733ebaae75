"""A Pydantic AI agent that counts its requests to the model and its calls of tools in a file."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path

from pydantic_ai import Agent, DeferredToolRequests, ModelRetry, RunContext
from pydantic_ai.messages import ModelMessage, ModelResponse, UserPromptPart
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, DeltaToolCalls, FunctionModel

from yarrow.adapters.pydantic_ai import runner
from yarrow.protocol.runner.models import AgentRunContext
from yarrow.protocol.runner.proxy import AgentRunAPIProxy

ROUNDS = 4


def request_of(messages: list[ModelMessage]) -> dict[str, str]:
    prompts = [part for message in messages for part in message.parts if isinstance(part, UserPromptPart)]
    document: dict[str, str] = json.loads(str(prompts[-1].content))
    return document


def count(ledger: str, entry: str) -> None:
    with Path(ledger).open("a", encoding="utf-8") as file:
        file.write(f"{entry}\n")


async def scripted(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[str | DeltaToolCalls]:
    """Call a tool in each round, then say how many rounds there were."""
    request = request_of(messages)
    last = max(
        index
        for index, message in enumerate(messages)
        if any(isinstance(part, UserPromptPart) for part in message.parts)
    )
    answered = sum(isinstance(message, ModelResponse) for message in messages[last:])
    count(request["ledger"], f"model {answered}")
    if answered == ROUNDS:
        for word in ("After ", str(ROUNDS), " rounds."):
            yield word
        return
    yield f"Round {answered}. "
    await asyncio.sleep(0.05)  # so that a worker can be killed here
    name = request.get("tool", "note")
    yield {0: DeltaToolCall(name=name, json_args=json.dumps({"number": answered}))}


agent = Agent(FunctionModel(stream_function=scripted), deps_type=str, output_type=[str, DeferredToolRequests])


@agent.tool
async def note(context: RunContext[str], number: int) -> dict[str, int]:
    count(request_of(context.messages)["ledger"], f"note {number}")
    await asyncio.sleep(0.05)
    return {"noted": number}


@agent.tool
async def doubt(context: RunContext[str], number: int) -> str:
    ledger = request_of(context.messages)["ledger"]
    count(ledger, f"doubt {number}")
    raise ModelRetry("say it again")


@agent.tool(requires_approval=True)
async def erase(context: RunContext[str], number: int) -> str:
    count(request_of(context.messages)["ledger"], f"erase {number}")
    return f"erased for {context.deps}"


def deps(context: AgentRunContext, api: AgentRunAPIProxy) -> str:
    return context.run_id[:4]


RUNNER = runner(agent, id="plugin:tests/counted/default", label="Counted", deps=deps)
