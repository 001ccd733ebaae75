"""Runners that ask their user, and answers to what they asked."""

import json
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Any

import pytest

from tests.support.divination_runs import ALICE, THREAD
from tests.support.journals import stored
from yarrow.protocol.caller import Caller
from yarrow.protocol.interrupts import ResumeEntry
from yarrow.protocol.problems import Problem
from yarrow.protocol.runner.models import AgentRunContext, AgentRunResult
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.runs.answer_questions import answer_question, resume_run
from yarrow.runs.submit_run import TaskAccepted

YES = {"approved": True}
FORM = {
    "type": "object",
    "properties": {"seats": {"type": "integer", "minimum": 1, "maximum": 9}, "name": {"type": "string"}},
    "required": ["seats"],
    "additionalProperties": False,
}

Asked = Callable[..., str]
Body = Callable[["Asker", AgentRunAPIProxy], Awaitable[Any]]


class Asker:
    """A runner that says what it does, does `act` and says what came of it. `made` is what it did once and for all."""

    def __init__(self, act: Body) -> None:
        self.act = act
        self.made: list[str] = []
        self.contexts: list[AgentRunContext] = []

    async def run(self, context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        self.contexts.append(context)
        await api.step("prepare", lambda: self.made.append("prepared"))
        yield said(context, "Let me see.")
        try:
            came = await self.act(self, api)
        finally:
            self.made.append("left")
        yield said(context, f"So be it: {came}")


def said(context: AgentRunContext, text: str) -> AgentRunResult:
    data = {"message": {"role": "assistant", "content": text}}
    return AgentRunResult(run_id=context.run_id, type="message.completed", data=data)


def interrupts_of(run_key: str) -> list[dict[str, Any]]:
    last = stored(run_key)[-1]
    assert last["type"] == "RUN_FINISHED"
    outcome = last.get("outcome", {"type": "success", "interrupts": []})
    found: list[dict[str, Any]] = outcome["interrupts"]
    return found


def answered(interrupt_id: str, payload: Any, caller: Caller = ALICE) -> TaskAccepted:
    """The run that goes on with an answer."""
    return answer_question(caller, ResumeEntry(interrupt_id, "resolved", payload))


def cancelled(interrupt_id: str, caller: Caller = ALICE) -> TaskAccepted:
    return answer_question(caller, ResumeEntry(interrupt_id, "cancelled"))


def refused(act: Callable[[], object]) -> tuple[int, str]:
    """The status and the code with which something is refused."""
    with pytest.raises(Problem) as caught:
        act()
    return caught.value.status, caught.value.code.name


def resumed(*entries: dict[str, Any], run_id: str = "run-2", caller: Any = ALICE, **members: Any) -> Any:
    """The run that goes on with the answers of a `resume`."""
    raw = {"threadId": THREAD, "runId": run_id, "resume": list(entries), **members}
    return resume_run(json.dumps(raw).encode(), caller)


def entry(question: str, payload: Any = None) -> dict[str, Any]:
    return {"interruptId": question, "status": "resolved", "payload": YES if payload is None else payload}


async def confirm(_: Asker, api: AgentRunAPIProxy) -> Any:
    return (await api.ask("Shall I?")).status


async def form(_: Asker, api: AgentRunAPIProxy) -> Any:
    answer = await api.ask("How many?", "form", response_schema=FORM)
    return json.dumps(answer.value)


async def choice(_: Asker, api: AgentRunAPIProxy) -> Any:
    return (await api.ask("Which?", "choice", options=["left", "right"])).value


async def in_words(_: Asker, api: AgentRunAPIProxy) -> Any:
    return (await api.ask("Who?", "text")).value
