"""An agent of the OpenAI Agents SDK that counts its requests to the model and its calls of tools in a file."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from agents import Agent, RunContextWrapper, function_tool

from tests.support.models.openai_agents_model import Call, Said, ScriptedModel
from yarrow.adapters.openai_agents import runner
from yarrow.protocol.runner.models import AgentRunContext
from yarrow.protocol.runner.proxy import AgentRunAPIProxy

ROUNDS = 4


def count(ledger: str, entry: str) -> None:
    with Path(ledger).open("a", encoding="utf-8") as file:
        file.write(f"{entry}\n")


async def script(items: list[Any]) -> Sequence[Said]:
    """Call a tool in each round, then say how many rounds there were."""
    last = max(index for index, item in enumerate(items) if item.get("role") == "user")
    request = json.loads(items[last]["content"])
    answered = sum(item.get("type") == "function_call_output" for item in items[last:])
    count(request["ledger"], f"model {answered}")
    if answered == ROUNDS:
        return "After ", str(ROUNDS), " rounds."
    return f"Round {answered}. ", Call(request.get("tool", "note"), f"call-{answered}", {"number": answered})


async def pause() -> None:
    await asyncio.sleep(0.05)  # so that a worker can be killed here


@function_tool
async def note(context: RunContextWrapper[str], number: int) -> dict[str, int]:
    count(context.context, f"note {number}")
    await pause()
    return {"noted": number}


@function_tool(needs_approval=True)
async def erase(context: RunContextWrapper[str], number: int) -> str:
    count(context.context, f"erase {number}")
    return "erased"


def ledger_of(context: AgentRunContext, api: AgentRunAPIProxy) -> str:
    return str(json.loads(context.input.text or "")["ledger"])


agent = Agent[str](name="Counted", model=ScriptedModel(script, pause), tools=[note, erase])

RUNNER = runner(agent, id="plugin:tests/counted/default", label="Counted", context=ledger_of)
