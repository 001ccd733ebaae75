"""Runs that outlive their workers: one story over many turns, on virtual time (STP-04, STP-05)."""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Iterator
from dataclasses import replace
from typing import Any

import pytest

from tests.support.divination_runs import submit
from tests.support.ended_runs import ending_of
from tests.support.journals import text
from tests.support.runners.scripted import install
from tests.support.runners.turns import Clock, Execution
from yarrow.agents import bindings
from yarrow.protocol.runner.models import AgentRunContext, AgentRunResult
from yarrow.protocol.runner.proxy import AgentRunAPIProxy

pytestmark = [pytest.mark.usefixtures("aws"), pytest.mark.memory]

MINUTE = 60.0


@pytest.fixture
def now() -> Iterator[Clock]:
    with Clock().installed() as clock:
        yield clock


class Working:
    """Works for so many minutes, a step a minute, and sleeps between them."""

    def __init__(self, minutes: int, sleeps: float = 0.0) -> None:
        self.minutes, self.sleeps = minutes, sleeps
        self.made: Counter[str] = Counter()

    async def run(self, context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        for number in range(self.minutes):
            done = await api.step("work", lambda number=number: self._work(number))
            yield said(context, f"{done} ")
            if self.sleeps:
                await api.sleep(seconds=self.sleeps)

    async def _work(self, number: int) -> int:
        self.made[str(number)] += 1
        await asyncio.sleep(MINUTE)
        return number


def said(context: AgentRunContext, content: str) -> AgentRunResult:
    chunk = {"role": "assistant", "content": content}
    return AgentRunResult(run_id=context.run_id, type="message.delta", data={"chunk": chunk})


def begun(monkeypatch: pytest.MonkeyPatch, runner: Any, minutes: int, now: Clock) -> Execution:
    install(monkeypatch, lambda: runner)
    agents = bindings.deployed()
    binding = agents["divination"]
    longer = replace(binding, descriptor=replace(binding.descriptor, max_minutes=minutes))
    monkeypatch.setitem(agents, "divination", longer)
    return Execution(submit().task_id, now)


def test_a_run_of_forty_minutes(monkeypatch: pytest.MonkeyPatch, now: Clock) -> None:
    runner = Working(minutes=38)
    execution = begun(monkeypatch, runner, 40, now)
    assert execution.go() == "Done"
    run_key = execution.data["runKey"]
    assert ending_of(run_key)["type"] == "RUN_FINISHED"
    assert text(run_key) == "".join(f"{number} " for number in range(38))
    print(execution.states, now.passed, runner.made)
