"""The host's own work on a runner's results: validate, number, map to events and check their order; nothing is stored.

Beside it, a bare `async for` over the same results, made beforehand: what a program costs that looks at none of them.
All take turns; a figure is the median of its blocks, in processor time of the whole process, threads included.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterator
from functools import partial
from itertools import accumulate
from statistics import median
from time import process_time
from typing import Any, cast

from tests.bench.row import Row
from tests.support.run_contexts import no_api, run_context
from yarrow.protocol.events import events
from yarrow.protocol.events.order import EventOrder
from yarrow.protocol.runner.models import AgentRunContext, AgentRunner, AgentRunResult
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.store.runs import Run
from yarrow.worker.invocation.isolation import IsolatedRunner
from yarrow.worker.journal_writer import JournalWriter
from yarrow.worker.orchestrator import Orchestrator
from yarrow.worker.run_options import DEFAULTS, RunOptions

BLOCKS = 15
RESULTS = 2_000
RUN = Run("key", "alice", "thread", "run-1", "assistant", "chat", "", made_session=True, created_at="")


def measure() -> list[Row]:
    """Return the microseconds per result of the host, for each kind of result, beside the bare loop."""
    pieces = [f"{number:05} " for number in range(RESULTS)]
    deltas = [_delta(piece) for piece in pieces]
    snapshots = [_delta(text) for text in accumulate(pieces[:RESULTS])]
    calls = [result for number in range(RESULTS // 2) for result in _call(str(number))]
    ways: dict[str, tuple[list[AgentRunResult], Callable[[AgentRunner], AgentRunner], RunOptions]] = {
        "host, a piece of text": (deltas, _here, DEFAULTS),
        "host, a piece of text of an isolated runner": (deltas, IsolatedRunner, DEFAULTS),
        "host, a cumulative piece of text": (snapshots, _here, RunOptions(delta_semantics="cumulative")),
        "host, a tool call or its result": (calls, _here, DEFAULTS),
    }
    ours: dict[str, list[float]] = {name: [] for name in ways}
    bare: list[float] = []
    empty: dict[str, list[float]] = {"a run": [], "an isolated run": []}
    for _ in range(BLOCKS):
        bare.append(_spent(lambda: _bare(_Scripted(deltas))))
        for name, (results, place, options) in ways.items():
            ours[name].append(_spent(partial(_placed, place, results, options)))
        empty["a run"].append(_spent(lambda: _orchestrate(_Scripted([]))) * RESULTS)
        empty["an isolated run"].append(_spent(lambda: _orchestrate(IsolatedRunner(_Scripted([])))) * RESULTS)
    reference = median(bare)
    return [
        *(Row(name, "µs per result", median(spent), "bare async for", reference) for name, spent in ours.items()),
        *(Row(f"host, {name} without results", "µs", median(spent)) for name, spent in empty.items()),
    ]


def _placed(place: Callable[[AgentRunner], AgentRunner], results: list[AgentRunResult], options: RunOptions) -> Any:
    return _orchestrate(place(_Scripted(results)), options)


class _Scripted:
    """Yields what was made beforehand."""

    def __init__(self, results: list[AgentRunResult]) -> None:
        self._results = results

    async def run(self, _context: AgentRunContext, _api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        for result in self._results:
            yield result


class _Nowhere:
    """Stands in for a JournalWriter: keeps the order of the events and nothing else."""

    def __init__(self) -> None:
        self.order = EventOrder()
        self.order.admit(events.RunStarted(**RUN.ids))

    async def write(self, event: events.Event) -> None:
        self.order.admit(event)


async def _orchestrate(runner: AgentRunner, options: RunOptions = DEFAULTS) -> None:
    writer = cast(JournalWriter, _Nowhere())
    await Orchestrator(RUN, (), writer, options).run(runner, run_context(RUN.key), no_api(RUN.key))


async def _bare(runner: AgentRunner) -> None:
    async for _ in runner.run(run_context(RUN.key), no_api(RUN.key)):
        pass


def _spent(work: Callable[[], Any]) -> float:
    """Return the processor time in microseconds for each of the results."""

    async def timed() -> float:
        start = process_time()
        await work()
        return (process_time() - start) / RESULTS * 1e6

    return asyncio.run(timed())


def _here(runner: AgentRunner) -> AgentRunner:
    return runner


def _delta(text: str) -> AgentRunResult:
    chunk = {"role": "assistant", "content": text}
    return AgentRunResult(run_id=RUN.key, type="message.delta", data={"chunk": chunk})


def _call(name: str) -> Iterator[AgentRunResult]:
    data = {"tool_call_id": name, "tool_name": "lookup", "parameters": {"city": "北京"}}
    yield AgentRunResult(run_id=RUN.key, type="tool.call.started", data=data)
    yield AgentRunResult(run_id=RUN.key, type="tool.call.completed", data={"tool_call_id": name, "result": {"ok": 1}})
