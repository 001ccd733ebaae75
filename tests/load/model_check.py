"""The model of scale against the stack: the requests of single runs, counted where they are made."""

import asyncio
import json
import uuid
from typing import Final

import httpx

from tests.bench.scale import USE
from tests.load import doors
from tests.load.client import Client
from tests.load.ledger import Ledger
from tests.load.running_stack import RunningStack

RUNS: Final = 2
RATE: Final = 50
"""Pieces a second, as what the model has was counted."""
FEWER: Final = {"dynamodb PutItem": 0.1, "dynamodb Query": 0.4}
"""Writes and reads that depend on time are fewer by up to this part, since each takes time here, and more on a busy
machine; never more."""
LAMBDA: Final = "lambda "
EXECUTIONS: Final = "stepfunctions StartExecution"


async def compare(stack: RunningStack, http: httpx.AsyncClient, ledger: Ledger) -> bool:
    """Print the requests of a run as the model has them and as they are; whether they agree."""
    seconds, modelled = USE["seconds"], USE["run"]["requests"]
    question = json.dumps({"pieces": seconds * RATE, "every": 1 / RATE})

    async def one_run() -> None:
        thread, client = str(uuid.uuid4()), Client(http, ledger)
        await client.submit(thread, "run-1", "pacer", question)
        await doors.watched(client, thread, "run-1")

    before = await asyncio.to_thread(stack.counts)
    await asyncio.gather(*(one_run() for _ in range(RUNS)))
    after = await asyncio.to_thread(stack.counts)
    counted = {name: (after[name] - before.get(name, 0)) / RUNS for name in after if after[name] != before.get(name)}
    used = USE["run"]["used"]
    expected = {f"dynamodb {name}": amount for name, amount in modelled.items()}
    expected |= {LAMBDA: used["lambda requests"], EXECUTIONS: used["state transitions"]}
    functions = {name: amount for name, amount in counted.items() if name.startswith(LAMBDA)}
    counted[LAMBDA] = sum(functions.values())
    off = {name for name in expected if not _is_near(name, expected[name], counted.get(name, 0))}
    for name in sorted(expected):
        note = "  differs" if name in off else ""
        print(f"  {name:34}{expected[name]:8g}{counted.get(name, 0):8.1f}{note}", flush=True)
    print(
        "  the functions:", ", ".join(f"{name.removeprefix(LAMBDA)} {amount:g}" for name, amount in functions.items())
    )
    return not off


def _is_near(name: str, expected: float, found: float) -> bool:
    return expected * (1 - FEWER.get(name, 0)) <= found <= expected
