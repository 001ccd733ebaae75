"""What a run costs on AWS: 20 seconds at 50 deltas a second, watched by one client from submit to end, or by nobody.

The run is a real one against moto, in virtual time; DynamoDB's requests and units are counted from its real requests
(`engine.capacity`), functions and states are the template's, prices are those of `prices.json`. Assumed is only what
cannot be counted here: how long a short function takes. What a workspace adds is reckoned, not counted. Not in it: the
model's tokens, logs, traces, metrics and cold starts.
"""

import asyncio
import json
import uuid
from collections import Counter
from collections.abc import Coroutine, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from unittest.mock import patch

import boto3
from moto import mock_aws
from starlette.types import Message

from local import resources, template
from local.__main__ import TEMPLATE
from local.dynamodb.sizes import item_size
from local.stack import Stack
from tests.bench.delta_stack import DeltaRunner
from tests.bench.engine.capacity import ITEM_OVERHEAD, Meter
from tests.bench.figures.workspace_use import CONNECTED_HOUR, SHORT_SECONDS, WORKSPACE_RUN
from tests.bench.row import Row
from tests.bench.run_client import run_input
from tests.support import virtual_time
from tests.support.functions.deployment import configured
from tests.support.runners.scripted import stand_in
from yarrow.automation import schedules
from yarrow.automation.create_job import create_job
from yarrow.automation.start_job import start_job
from yarrow.protocol.caller import Caller
from yarrow.runs.stream_events import stream_events
from yarrow.runs.submit_run import submit_run
from yarrow.settings import settings
from yarrow.store import clients
from yarrow.web.streams.event_stream import EventStreamResponse
from yarrow.worker import execute_run
from yarrow.worker.invocation.registry import registry

SECONDS = 20
RATE = 50
RUNS = 1_000
INDEX = ("listed_for", "last_active")
"""The key of the table's index, which copies the items that have it."""

HOURS = 1_000

PRICES = json.loads(Path(__file__).with_name("prices.json").read_text(encoding="utf-8"))["prices"]


def measure() -> list[Row]:
    """Return what one run uses, and what a thousand of them cost, part by part."""
    used, requests = use_of_a_run()
    unwatched, _ = use_of_a_run(watched=False)
    cost = {name: RUNS * amount * PRICES[name]["usd"] / PRICES[name]["per"] for name, amount in used.items()}
    return [
        *(Row(f"dynamodb {operation}", "per run", count) for operation, count in sorted(requests.items())),
        *(Row(name, "per run", amount) for name, amount in used.items()),
        *(Row(name, f"USD per {RUNS:,} runs", price) for name, price in cost.items()),
        Row("all of it, without a model's tokens", f"USD per {RUNS:,} runs", sum(cost.values())),
        Row("the same of a run that nobody watches", f"USD per {RUNS:,} runs", RUNS * price(unwatched)),
        Row("a workspace connection that only beats", f"USD per {HOURS:,} hours", HOURS * price(CONNECTED_HOUR)),
        Row("a workspace's part in a run, one page", f"USD per {RUNS:,} runs", RUNS * price(WORKSPACE_RUN)),
        Row("a job's firing, on top of its run", f"USD per {RUNS:,} firings", RUNS * price(use_of_a_firing())),
    ]


def price(used: Mapping[str, float]) -> float:
    return float(sum(amount * PRICES[name]["usd"] / PRICES[name]["per"] for name, amount in used.items()))


def use_of_a_run(*, watched: bool = True) -> tuple[dict[str, float], Counter[str]]:
    """What a run uses of everything that has a price, and its requests to DynamoDB by operation."""
    stack = template.load(TEMPLATE, {"OidcIssuer": "http://127.0.0.1:1/local", "OidcAudience": "yarrow"})
    with configured(stack), mock_aws(), patch.object(registry, "find", lambda _: stand_in(DeltaRunner)):
        resources.create(stack)
        unmetered = boto3.client("dynamodb")
        meter = Meter(clients.dynamodb(), unmetered, INDEX)
        seconds, sent = _run(watched=watched)
        machine_arn = settings.state_machine_arn
        items = unmetered.scan(TableName=settings.table_name)["Items"]
    copies = [item for item in items if INDEX[0] in item]
    stored = sum(item_size(item) + ITEM_OVERHEAD for item in items + copies)
    (machine,) = (machine for machine in stack.state_machines if machine.arn == machine_arn)
    states = list(_states(json.loads(machine.definition)))
    # A stream's authorizer is that of routes that take API keys; both have forgotten the user since the last run.
    spans = [("authorize", SHORT_SECONDS), ("submit_run", SHORT_SECONDS), ("execute_run", seconds)]
    if watched:
        spans += [("authorize", SHORT_SECONDS), ("stream_events", seconds)]
    used = {
        "dynamodb write units": meter.writes,
        "dynamodb read units": meter.reads,
        "bytes stored for a month": stored,
        "bytes recoverable for a month": stored,
        "state transitions": len(states),
        "lambda requests": len(spans),
        "lambda gb-seconds": sum(_memory(stack, folder) * span for folder, span in spans),
        "api gateway requests": 1 + watched,
        "bytes sent to the client": sent,
    }
    return used, meter.requests


def use_of_a_firing() -> dict[str, float]:
    """What the firing of a job uses beyond the submit of the same run."""
    stack = template.load(TEMPLATE, {"OidcIssuer": "http://127.0.0.1:1/local", "OidcAudience": "yarrow"})
    due = datetime.now(UTC).replace(second=0, microsecond=0)
    fields = {
        "input_template": "It is {{date}}. What is in my calendar today, and what should I not forget?",
        "enabled_tools": ["calendar_read"],
        "context": {"source": "latest_chat", "window_mode": "number", "window_count": 20},
        "schedule": {"type": "daily", "run_at": {"hour": due.hour, "minute": due.minute}},
        "timezone": "UTC",
    }
    with configured(stack), mock_aws():
        resources.create(stack)
        job = create_job(json.dumps(fields).encode(), Caller("alice"))
        meter = Meter(clients.dynamodb(), boto3.client("dynamodb"), INDEX)
        start_job(job.id, job.version, due, schedules.delay(job))
        fired = meter.writes, meter.reads
        arguments = run_input(
            str(uuid.uuid4()), "It is 2026-11-22. What is in my calendar today, and what not to forget?"
        )
        submit_run(json.dumps(arguments).encode(), Caller("bob"))
        submitted = meter.writes - fired[0], meter.reads - fired[1]
    return {
        "scheduler invocations": 1,
        "lambda requests": 1,
        "lambda gb-seconds": _memory(stack, "start_job") * SHORT_SECONDS,
        "dynamodb write units": fired[0] - submitted[0],
        "dynamodb read units": fired[1] - submitted[1],
    }


def _run(*, watched: bool) -> tuple[float, int]:
    """Submit a run, execute it, if `watched` beside a client that streams it; returns its seconds and the bytes that
    client got.
    """
    thread, caller = str(uuid.uuid4()), Caller("alice")
    question = json.dumps({"deltas": SECONDS * RATE, "rate": RATE})
    run_key = submit_run(json.dumps(run_input(thread, question)).encode(), caller).task_id
    seconds: list[float] = []
    sent: list[int] = []

    async def receive() -> Message:
        return await asyncio.Future()

    async def send(message: Message) -> None:
        sent.append(len(message.get("body", b"")))

    async def beside_a_viewer(work: Coroutine[Any, Any, None]) -> None:
        response = EventStreamResponse(stream_events(caller.user_id, thread, "run-1", None, None), 2 * SECONDS)
        watching = asyncio.create_task(response({"type": "http", "asgi": {"spec_version": "2.4"}}, receive, send))
        await work
        await watching

    execute = beside_a_viewer if watched else _alone
    with patch("asyncio.run", lambda work: seconds.append(virtual_time.run(execute(work)))):
        execute_run.work(run_key)
    return seconds[0], sum(sent)


async def _alone(work: Coroutine[Any, Any, None]) -> None:
    await work


def _states(machine: dict[str, Any]) -> Iterator[str]:
    """The states that a run of one turn goes through when all is well."""
    name: str | None = machine["StartAt"]
    while name is not None:
        yield name
        name = machine["States"][name].get("Next")


def _memory(stack: Stack, folder: str) -> float:
    return next(function.memory for function in stack.functions.values() if function.folder.name == folder) / 1024
