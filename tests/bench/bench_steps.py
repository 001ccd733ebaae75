"""What steps cost: a run of 20 seconds with three calls of a model and four of tools, beside the same without steps,
and how long a worker takes that takes over after 100 of them.

A step is one write, counted from the items of a real run in virtual time; the rest of a run is that of `bench_cost`.
The model answers 2,000 characters at each call; the tools are the clock, the calendar and the memory.
"""

import asyncio
import json
import time
import uuid
from collections.abc import AsyncGenerator, Iterator
from contextlib import contextmanager
from dataclasses import replace
from statistics import median
from typing import Any
from unittest.mock import patch

from moto import mock_aws

from local import resources, template
from local.__main__ import TEMPLATE
from local.dynamodb.sizes import item_size
from local.stack import Stack
from tests.bench.bench_cost import RUNS, SECONDS, price
from tests.bench.engine.capacity import ITEM_OVERHEAD, write_units
from tests.bench.figures.count import FILE
from tests.bench.row import Row
from tests.bench.run_client import run_input
from tests.support import virtual_time
from tests.support.functions.deployment import configured
from tests.support.memory_aws.aws import MemoryAws
from yarrow.protocol.caller import Caller
from yarrow.protocol.runner.api import ModelMessage, ModelReply, ModelRequest, ModelUsage
from yarrow.protocol.runner.models import AgentRunContext, AgentRunResult, InstalledRunner
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.runs.submit_run import submit_run
from yarrow.services.models.gateway import ModelGateway
from yarrow.settings import settings
from yarrow.store import clients
from yarrow.worker import execute_run
from yarrow.worker.invocation.registry import registry
from yarrow_agents.assistant.runner import RUNNER

RATE = 50
ANSWER = 2_000
REPLAYED = 100
ROUNDS = 5
TOOLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("get_current_time", {}),
    ("calendar_read", {"day": "2026-03-17", "event_timezone": "Europe/London"}),
    ("memory_search", {"query": "names"}),
    ("get_current_time", {"time_zone": "Asia/Tokyo"}),
)


class _Caller:
    """Speaks for 20 seconds; a model is asked before, and tools and a model twice between."""

    def __init__(self, models: int) -> None:
        self._models = models

    async def run(self, context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        clock = asyncio.get_running_loop().time
        start, tools = clock(), list(TOOLS)
        for number in range(SECONDS * RATE):
            if self._models and number % (SECONDS * RATE // self._models + 1) == 0:
                await api.models.invoke("chat", [{"role": "user", "content": f"question {number}"}])
                for name, parameters in tools[: 2 if number else 0]:
                    await api.tools.call(name, parameters)
                del tools[: 2 if number else 0]
            await asyncio.sleep(start + number / RATE - clock())
            chunk = {"role": "assistant", "content": f"{number:07} "}
            yield AgentRunResult(run_id=context.run_id, type="message.delta", data={"chunk": chunk})


class _Stepper:
    """Makes so many steps; then its first worker dies."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.dies = True

    async def run(self, context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        for number in range(self.count):
            await api.step("act", lambda number=number: {"done": number})
        if self.dies:
            raise KeyboardInterrupt
        chunk = {"role": "assistant", "content": "done"}
        yield AgentRunResult(run_id=context.run_id, type="message.delta", data={"chunk": chunk})


def measure() -> list[Row]:
    """What steps write, what that costs, and how long a replay takes."""
    written, units, size = _of_steps(3)
    quiet, _, _ = _of_steps(0)
    stored = {name: float(size) for name in ("bytes stored for a month", "bytes recoverable for a month")}
    more = price({"dynamodb write units": units, **stored})
    used = json.loads(FILE.read_text(encoding="utf-8"))["run"]["used"]
    taken = [_replay(REPLAYED) - _replay(0) for _ in range(ROUNDS)]
    return [
        Row("requests of steps, a run with 7 calls", "per run", written),
        Row("write units of steps, a run with 7 calls", "per run", units),
        Row("requests of steps, a run without calls", "per run", quiet),
        Row("a step", f"USD per {RUNS:,} steps", RUNS * more / written),
        Row(
            "a run with 7 calls", f"USD per {RUNS:,} runs", RUNS * (price(used) + more), "no steps", RUNS * price(used)
        ),
        Row(f"replay of {REPLAYED} steps", "ms CPU", median(taken) * 1e3),
    ]


def _of_steps(models: int) -> tuple[int, int, int]:
    """How many steps a run writes that calls so many models, in how many units, and their bytes with overhead."""
    stack = _stack()
    with configured(stack), mock_aws(), _answering(replace(RUNNER, create=lambda: _Caller(models))):
        resources.create(stack)
        run_key = _submitted()
        with patch("asyncio.run", virtual_time.run):
            execute_run.work(run_key)
        items = clients.dynamodb().scan(TableName=settings.table_name)["Items"]
    sizes = [item_size(item) for item in items if item["sk"]["S"].startswith("STEP#")]
    return len(sizes), sum(map(write_units, sizes)), sum(sizes) + ITEM_OVERHEAD * len(sizes)


def _replay(count: int) -> float:
    """CPU seconds of a worker that takes over a run after so many steps."""
    stepper = _Stepper(count)
    with configured(_stack()), MemoryAws().installed(), _answering(replace(RUNNER, create=lambda: stepper)):
        run_key = _submitted()
        try:
            execute_run.work(run_key)
        except KeyboardInterrupt:
            stepper.dies = False
        began = time.process_time()
        execute_run.work(run_key)
        return time.process_time() - began


def _stack() -> Stack:
    return template.load(TEMPLATE, {"OidcIssuer": "http://127.0.0.1:1/local", "OidcAudience": "yarrow"})


def _submitted() -> str:
    body = {**run_input(str(uuid.uuid4()), "Please see to it."), "forwardedProps": {"runtime_mode": "chat"}}
    return submit_run(json.dumps(body).encode(), Caller("alice"), "assistant").task_id


@contextmanager
def _answering(installed: InstalledRunner) -> Iterator[None]:
    """Every run has this runner, and a model that answers at once."""

    async def invoke(_: ModelGateway, __: ModelRequest) -> ModelReply:
        message = ModelMessage(role="assistant", content="x" * ANSWER)
        return ModelReply(message=message, usage=ModelUsage(input_tokens=900, output_tokens=500))

    with patch.object(registry, "find", lambda _: installed), patch.object(ModelGateway, "invoke", invoke):
        yield
