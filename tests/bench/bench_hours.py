"""What an hour of a long run costs on AWS, while it works and while it sleeps, without viewers.

The runs are real ones against moto, on virtual time, over the template's state machine; requests and states are
counted. A working hour is sixty steps of a minute each, a sleeping one a single sleep with its two turns.
"""

import asyncio
import json
import uuid
from collections.abc import AsyncGenerator
from dataclasses import replace
from unittest.mock import patch

import boto3
from moto import mock_aws

from local import resources, template
from local.__main__ import TEMPLATE
from tests.bench.bench_cost import HOURS, INDEX, PRICES
from tests.bench.engine.capacity import Meter
from tests.bench.row import Row
from tests.bench.run_client import run_input
from tests.support.functions.deployment import configured
from tests.support.runners.scripted import stand_in
from tests.support.runners.turns import Clock, Execution
from yarrow.agents import bindings
from yarrow.protocol.caller import Caller
from yarrow.protocol.runner.models import AgentRunContext, AgentRunResult
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.runs.submit_run import submit_run
from yarrow.store import clients
from yarrow.worker.invocation.registry import registry

MINUTES = 60
TURN_OVERHEAD_SECONDS = 1.0
"""Assumed of each turn: the sandbox prepares the run and stores its end."""


class Working:
    async def run(self, context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        for _ in range(MINUTES):
            await api.step("work", _a_minute)
        yield AgentRunResult(run_id=context.run_id, type="run.completed")


async def _a_minute() -> None:
    await asyncio.sleep(60)


class Sleeping:
    async def run(self, context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        await api.sleep(seconds=60 * MINUTES)
        yield AgentRunResult(run_id=context.run_id, type="run.completed")


def measure() -> list[Row]:
    rows = []
    for what, runner in (("works", Working()), ("sleeps", Sleeping())):
        used, turns = use_of_an_hour(runner)
        price = sum(amount * PRICES[name]["usd"] / PRICES[name]["per"] for name, amount in used.items())
        rows += [Row(name, f"of an hour that {what}", amount) for name, amount in used.items()]
        rows += [
            Row("turns", f"of an hour that {what}", turns),
            Row(f"a run that {what}", f"USD per {HOURS:,} hours", HOURS * price),
        ]
    return rows


def use_of_an_hour(runner: Working | Sleeping) -> tuple[dict[str, float], int]:
    """What a run of an hour uses after its submit of everything that has a price, and its turns."""
    stack = template.load(TEMPLATE, {"OidcIssuer": "http://127.0.0.1:1/local", "OidcAudience": "yarrow"})
    with (
        configured(stack),
        mock_aws(),
        patch.object(registry, "find", lambda _: stand_in(lambda: runner)),
        patch.dict(bindings.deployed(), {name: _longer(agent) for name, agent in bindings.deployed().items()}),
        Clock().installed() as now,
    ):
        resources.create(stack)
        given = run_input(str(uuid.uuid4()), json.dumps("work"))
        run_key = submit_run(json.dumps(given).encode(), Caller("alice")).task_id
        meter = Meter(clients.dynamodb(), boto3.client("dynamodb"), INDEX)
        execution = Execution(run_key, now)
        execution.go()
        worked = now.passed - execution.slept
    turns = execution.states.count("Work")
    memory = (
        next(function.memory for function in stack.functions.values() if function.folder.name == "execute_run") / 1024
    )
    return {
        "dynamodb write units": meter.writes,
        "dynamodb read units": meter.reads,
        "state transitions": len(execution.states),
        "lambda requests": turns,
        "lambda gb-seconds": memory * (worked + turns * TURN_OVERHEAD_SECONDS),
    }, turns


def _longer(binding: bindings.Binding) -> bindings.Binding:
    return replace(binding, descriptor=replace(binding.descriptor, max_minutes=2 * MINUTES))
