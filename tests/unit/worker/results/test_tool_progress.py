"""The progress of tools' calls among a run's events (MCP-01)."""

import asyncio
import json
from collections.abc import AsyncGenerator
from dataclasses import replace
from typing import Any

from tests.support.runners.work import (
    API,
    CONTEXT,
    DONE,
    OPTIONS,
    RUN,
    STARTED,
    Journal,
    Script,
    Scripted,
    answer,
    call,
    faults,
)
from yarrow.protocol.events import events
from yarrow.protocol.runner.models import AgentRunContext, AgentRunResult
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.services.mcp.progress import Progress
from yarrow.store import table
from yarrow.worker.orchestrator import Orchestrator
from yarrow.worker.results.tool_progress import MAX_EVENTS, ToolProgress

HALF = Progress("calc", "t", 1, 2, "Half of it")


class Telling(Scripted):
    """A runner whose tools tell something in the places of None in its script."""

    def __init__(self, script: Any, progress: ToolProgress) -> None:
        super().__init__([result or ("", {}) for result in script])
        self._progress = progress

    async def run(self, context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        async for result in super().run(context, api):
            if result.type:
                yield result
            else:
                await self._progress.tell("key", HALF)


def told(script: Any, lines: Any = STARTED) -> list[str]:
    """The lines of a journal after a worker's run."""
    journal, progress = Journal(lines, None), ToolProgress()
    options = replace(OPTIONS, progress=progress)
    orchestrator = Orchestrator(RUN, ("worker",), journal, options, map(events.decode, lines))

    async def use() -> None:
        await orchestrator.run(Telling(script, progress), CONTEXT, API)
        await progress.tell("key", HALF)  # from a call that the runner has left running

    asyncio.run(use())
    return journal.lines


def shown(lines: list[str]) -> list[dict[str, Any]]:
    return [event for event in map(json.loads, lines) if event["type"] == "ACTIVITY_SNAPSHOT"]


def test_progress_comes_while_the_runner_waits_and_names_the_call() -> None:
    lines = told([call("c"), None, answer("c"), DONE])
    (event,) = shown(lines)
    assert event["content"]["toolCallId"] == "c"
    types = [json.loads(line)["type"] for line in lines]
    assert types.index("TOOL_CALL_END") < types.index("ACTIVITY_SNAPSHOT") < types.index("TOOL_CALL_RESULT")
    assert list(faults([*map(json.loads, lines), json.loads(events.encode(events.RunFinished(**RUN.ids)))])) == []


def test_two_calls_of_one_tool_cannot_be_told_apart() -> None:
    (event,) = shown(told([call("c"), call("d"), None, answer("c"), answer("d"), DONE]))
    assert event["content"] == {
        "server": "calc",
        "tool": "t",
        "status": "running",
        "progress": 1,
        "total": 2,
        "message": "Half of it",
    }


def test_nothing_follows_the_end_of_the_runner() -> None:
    """Else an event would come after the run's last one."""
    assert shown(told([DONE])) == []


def test_a_run_shows_so_many() -> None:
    assert len(shown(told([*[None] * (MAX_EVENTS + 5), DONE]))) == MAX_EVENTS


def test_a_worker_that_takes_over_repeats_nothing_for_it() -> None:
    """The call is answered from the store then, and tells nothing; what the runner shows itself is shown once."""

    def plan(step: int) -> tuple[str, Any]:
        return "activity.snapshot", {"activity_id": "plan", "activity_type": "PLAN", "content": {"step": step}}

    script = [plan(1), call("c"), None, answer("c"), plan(2), call("d"), None, answer("d"), plan(3), DONE]
    first = told(script)
    rerun: Script = [result for result in script if result is not None]
    for stored in range(1, len(first)):
        steps = [event["content"].get("step") for event in shown(told(rerun, first[:stored]))]
        assert [step for step in steps if step is not None] == [1, 2, 3], stored


def test_a_run_that_has_ended_elsewhere_shows_no_more() -> None:
    """The tool's call goes on: what the run's own next event raises ends it."""

    class Ended(Journal):
        async def write(self, event: Any) -> None:
            raise table.ConditionFailedError([True])

    async def use() -> None:
        progress = ToolProgress()
        progress.begin(Ended(STARTED, None), RUN.ids, "key")
        await progress.tell("key", HALF)
        await progress.tell("key", HALF)

    asyncio.run(use())
