"""A Strands agent that counts its requests to the model and its calls of tools in a file."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from strands import Agent, ToolContext, tool
from strands.vended_interventions.hitl import HumanInTheLoop

from tests.support.models.strands_model import Call, Said, ScriptedModel
from yarrow.adapters.strands import runner
from yarrow.protocol.runner.models import AgentRunContext
from yarrow.protocol.runner.proxy import AgentRunAPIProxy

ROUNDS = 4


def count(ledger: str, entry: str) -> None:
    with Path(ledger).open("a", encoding="utf-8") as file:
        file.write(f"{entry}\n")


async def script(messages: list[Any]) -> Sequence[Said]:
    """Call a tool in each round, then say how many rounds there were."""
    prompts = (message["role"] == "user" and "text" in message["content"][0] for message in messages)
    (*_, last) = (index for index, is_prompt in enumerate(prompts) if is_prompt)
    request = json.loads(messages[last]["content"][0]["text"])
    answered = sum("toolResult" in block for message in messages[last:] for block in message["content"])
    count(request["ledger"], f"model {answered}")
    if answered == ROUNDS:
        return "After ", str(ROUNDS), " rounds."
    return f"Round {answered}. ", Call(request.get("tool", "note"), f"call-{answered}", {"number": answered})


async def pause() -> None:
    await asyncio.sleep(0.05)  # so that a worker can be killed here


@tool(context=True)
async def note(number: int, tool_context: ToolContext) -> dict[str, Any]:
    """Note a number."""
    count(tool_context.invocation_state["ledger"], f"note {number}")
    tool_context.agent.state.set("noted", [*(tool_context.agent.state.get("noted") or []), number])
    await pause()
    return {"status": "success", "content": [{"json": {"noted": tool_context.agent.state.get("noted")}}]}


@tool(context=True)
async def erase(number: int, tool_context: ToolContext) -> str:
    """Erase a number."""
    count(tool_context.invocation_state["ledger"], f"erase {number}")
    return "erased"


def ledger_of(context: AgentRunContext, api: AgentRunAPIProxy) -> dict[str, str]:
    return {"ledger": str(json.loads(context.input.text or "")["ledger"])}


agent = Agent(
    model=ScriptedModel(script, pause),
    tools=[note, erase],
    interventions=[HumanInTheLoop(allowed_tools=["note"])],
)

RUNNER = runner(agent, id="plugin:tests/counted/default", label="Counted", invocation_state=ledger_of)
