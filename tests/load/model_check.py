"""The model of scale against the stack: the requests of single runs, counted where they are made.

A worker writes and a stream reads so often a second, so on a busy machine a run makes fewer of these requests, and more
if it takes longer. How busy the machine was is in the pieces, which are the moments they were sent.
"""

import asyncio
import json
import statistics
import time
import uuid
from dataclasses import dataclass, field
from typing import Final

import httpx

from tests.bench.scale import USE
from tests.load import doors
from tests.load.client import Client, Event
from tests.load.ledger import Ledger
from tests.load.running_stack import RunningStack
from yarrow.worker.heartbeat import BEAT_SECONDS, WATCH_SECONDS

RUNS: Final = 2
RATE: Final = 50
"""Pieces a second, as what the model has was counted."""
FEWER: Final = {"dynamodb PutItem": 0.1, "dynamodb Query": 0.4}
"""By what part writes and reads that depend on time may be fewer on a quiet machine, since each takes time here."""
QUIET_SECONDS: Final = 0.35
"""The median piece is at its client sooner if the machine is quiet."""
LATE: Final = 1.02
"""How much longer than planned a run may take on a quiet machine."""
LAMBDA: Final = "lambda "
EXECUTIONS: Final = "stepfunctions StartExecution"


@dataclass
class Pace:
    """How a run that should take `planned` seconds went, by its pieces."""

    planned: float
    ways: list[float] = field(default_factory=list)
    """Seconds from when a piece was sent to when it was seen."""
    sent: list[float] = field(default_factory=list)

    def note(self, event: Event) -> None:
        if event[1]["type"] == "TEXT_MESSAGE_CONTENT":
            pieces = [float(moment) for moment in event[1]["delta"].split()]
            self.sent += pieces
            self.ways += [time.monotonic() - moment for moment in pieces]

    @property
    def seconds(self) -> float:
        """How long it took, at least as long as planned."""
        return max(self.planned, max(self.sent) - min(self.sent))

    @property
    def is_quiet(self) -> bool:
        """Whether the machine did what it should when it should."""
        return self.seconds <= LATE * self.planned and statistics.median(self.ways) <= QUIET_SECONDS

    def bounds(self, name: str, expected: float) -> tuple[float, float]:
        """The fewest and the most requests that are as the model has them."""
        if name in FEWER:
            least = expected * (1 - FEWER[name]) if self.is_quiet else 1
            return least, expected * self.seconds / self.planned
        more = 0.0 if self.is_quiet else self.seconds
        if name == "dynamodb UpdateItem":
            return expected, expected + more // BEAT_SECONDS
        if name == "dynamodb GetItem":
            # A worker that did not write for so long reads its run.
            return expected, expected + more // WATCH_SECONDS
        return expected, expected


async def compare(stack: RunningStack, http: httpx.AsyncClient, ledger: Ledger) -> bool:
    """Print the requests of a run as the model has them and as they are; whether they agree."""
    seconds, modelled = USE["seconds"], USE["run"]["requests"]
    question = json.dumps({"pieces": seconds * RATE, "every": 1 / RATE})
    paces = [Pace(seconds) for _ in range(RUNS)]

    async def one_run(pace: Pace) -> None:
        thread, client = str(uuid.uuid4()), Client(http, ledger)
        await client.submit(thread, "run-1", "pacer", question)
        await doors.watched(client, thread, "run-1", note=pace.note)

    before = await asyncio.to_thread(stack.counts)
    await asyncio.gather(*(one_run(pace) for pace in paces))
    after = await asyncio.to_thread(stack.counts)
    counted = {name: (after[name] - before.get(name, 0)) / RUNS for name in after if after[name] != before.get(name)}
    used = USE["run"]["used"]
    expected = {f"dynamodb {name}": amount for name, amount in modelled.items()}
    expected |= {LAMBDA: used["lambda requests"], EXECUTIONS: used["state transitions"]}
    functions = {name: amount for name, amount in counted.items() if name.startswith(LAMBDA)}
    counted[LAMBDA] = sum(functions.values())
    slowest = max(paces, key=lambda pace: (not pace.is_quiet, pace.seconds))
    off = differences(expected, counted, slowest)
    for name in sorted(expected):
        note = "  differs" if name in off else ""
        print(f"  {name:34}{expected[name]:8g}{counted.get(name, 0):8.1f}{note}", flush=True)
    print(
        "  the functions:", ", ".join(f"{name.removeprefix(LAMBDA)} {amount:g}" for name, amount in functions.items())
    )
    if not slowest.is_quiet:
        way = statistics.median(slowest.ways)
        print(f"  the machine is busy: a run took {slowest.seconds:.1f} s, the median piece {way:.2f} s to its client")
    return not off


def differences(expected: dict[str, float], counted: dict[str, float], pace: Pace) -> set[str]:
    """The names of requests whose numbers are not as the model has them."""
    bounds = {name: pace.bounds(name, amount) for name, amount in expected.items()}
    return {name for name, (least, most) in bounds.items() if not least <= counted.get(name, 0) <= most}
