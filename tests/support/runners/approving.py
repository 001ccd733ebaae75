"""A tool whose calls need approval, and runners that call it."""

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from pydantic import JsonValue

from tests.support.divination_runs import ALICE, body
from tests.support.runners.asking import said
from yarrow.agents import bindings
from yarrow.formats import json_text
from yarrow.protocol.runner.models import AgentRunContext, AgentRunResult, InstalledRunner
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.protocol.runner.tools import ToolContext
from yarrow.runs.submit_run import submit_run
from yarrow.services.tools.builtin import TOOLS
from yarrow.services.tools.registry import ToolRegistry
from yarrow.worker.invocation.registry import registry
from yarrow_agents.assistant import runner as assistant

TOOL = "transfer"


@dataclass
class Bank:
    """What the tool has transferred."""

    made: list[tuple[str, int]] = field(default_factory=list)

    def transfer(self, _context: ToolContext, to: str, amount: int = 10, *, notify: bool = False) -> dict[str, Any]:
        """Transfer money."""
        self.made.append((to, amount))
        return {"transferred": amount, "to": to, "notified": notify}


def bank(monkeypatch: pytest.MonkeyPatch, **policy: JsonValue) -> Bank:
    """Give the assistant a tool with this policy."""
    made, tools = Bank(), ToolRegistry()
    tools.register_tool_function(made.transfer, name=TOOL)
    monkeypatch.setitem(TOOLS._tools, TOOL, tools._tools[TOOL])
    binding = bindings.deployed()["assistant"]
    document = binding.policy.model_dump(mode="json")
    document["resources"]["tools"].append({"id": TOOL, **policy})
    changed = type(binding.policy).model_validate(document)
    monkeypatch.setitem(bindings.deployed(), "assistant", bindings.Binding.of("assistant", changed))
    return made


class Caller:
    """A runner that calls the tool side by side, with these arguments, and says what came of each call.

    With `announces` it announces its calls first, as runners do whose calls a client shows.
    """

    def __init__(self, *calls: Mapping[str, Any], announces: bool = True) -> None:
        self.calls = calls
        self.announces = announces

    async def run(self, context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        def result(type_: str, **data: Any) -> AgentRunResult:
            return AgentRunResult(run_id=context.run_id, type=type_, data=data)

        if self.announces:
            for number, call in enumerate(self.calls):
                named = {"tool_call_id": f"call-{number}", "tool_name": TOOL}
                yield result("tool.call.started", **named, parameters=dict(call), more=number + 1 < len(self.calls))
        answers = await asyncio.gather(*(api.tools.call(TOOL, dict(call)) for call in self.calls))
        for number, answer in enumerate(answers):
            if self.announces:
                named = {"tool_call_id": f"call-{number}", "tool_name": TOOL}
                yield result("tool.call.completed", **named, result=answer)
            yield said(context, json_text.dumps(answer))


def install(monkeypatch: pytest.MonkeyPatch, runner: Any) -> None:
    """Have every run call it, under the assistant's manifest."""
    monkeypatch.setattr(registry, "find", lambda _: InstalledRunner(assistant.RUNNER.manifest, lambda: runner))


def submit(**changes: Any) -> str:
    """Submit a run of the assistant; returns its key."""
    props: dict[str, Any] = {"runtime_mode": "chat"}
    sent = body(**{"forwardedProps": props, **changes})
    return submit_run(json_text.dumps(sent).encode(), ALICE, agent="assistant").task_id


def results(events: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The results of calls, by id."""
    return {
        event["toolCallId"]: json_text.loads(event["content"].encode())
        for event in events
        if event["type"] == "TOOL_CALL_RESULT"
    }
