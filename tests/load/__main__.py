"""`python -m tests.load`: a soak of the local stack with traffic of all doors, on loopback; it stops by itself.

First it counts what single runs of 20 seconds ask of AWS and compares that with the model of scale. Then come so many
slow runs with so many streams in all, and beside them users at every door, for some minutes. It prints what clients
saw, the memory of every process, and what is left when all have gone. Exits with 1 if anything was lost, repeated,
answered with 5xx or left behind, or if the model is off.
"""

import argparse
import asyncio
import os
import random
import sys
import time
from collections.abc import Sequence

import httpx

from tests.load import doors
from tests.load.client import Client
from tests.load.ledger import Ledger
from tests.load.model_check import compare
from tests.load.processes import Sample
from tests.load.running_stack import RunningStack, running

PIECE_SECONDS = 5.0
PIECES = 10
"""Of a slow run, which takes 50 seconds."""
TURNS_OF_A_USER = 10
PAUSES = (1.0, 3.0)
"""Seconds between two turns of a user, drawn from these."""
MEASURED = (0.2, 0.4, 0.6, 0.8, 0.95)
GROWTH_MIB = 32
"""How much more memory the stack may have at the end than when the load was there."""
QUIET_SECONDS = 90.0
"""How long what clients held may take to be given back."""
BESIDE = {"cast": 2, "send-message": 2, "cancel": 1, "upload": 1, "job": 3, "workspace": 2}
"""Users at the other doors."""
LONGEST = {"job": 2 * doors.SECONDS, "workspace": doors.SECONDS / 2}
"""Seconds of their turns: nothing begins that would not be over in time."""


def main() -> int:
    """Run it; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.load", description=__doc__.partition(";")[0])
    parser.add_argument("--minutes", type=float, default=15)
    parser.add_argument("--streams", type=int, default=200)
    parser.add_argument("--runs", type=int, default=50)
    options = parser.parse_args()
    with running() as stack:
        return asyncio.run(_load(stack, options.minutes * 60, options.streams, options.runs))


async def _load(stack: RunningStack, seconds: float, streams: int, runs: int) -> int:
    ledger, limits = Ledger(), httpx.Limits(max_connections=None, max_keepalive_connections=20)
    async with httpx.AsyncClient(base_url=stack.url, timeout=doors.SECONDS, limits=limits, trust_env=False) as http:
        print("a run of 20 seconds, as the model has it and as the stack counts it", flush=True)
        is_right = await compare(stack, http, ledger)
        ledger.seconds.clear()
        print(f"\n{runs} runs with {streams} streams and all other doors, {seconds / 60:g} minutes", flush=True)
        memory = asyncio.create_task(_memory(stack, seconds))
        await traffic(stack.url, http, ledger, seconds, streams, runs)
        stays = await memory
    left = await asyncio.to_thread(_left, stack)
    print(f"\n{ledger.report()}\n")
    print("left when all have gone:", ", ".join(f"{name} {count}" for name, count in left.items()))
    if not stays:
        print(f"the stack grew by more than {GROWTH_MIB} MiB")
    return 0 if is_right and stays and ledger.is_clean and not any(left.values()) else 1


async def traffic(base: str, http: httpx.AsyncClient, ledger: Ledger, seconds: float, streams: int, runs: int) -> None:
    """All of it, until it is over."""
    until = time.monotonic() + seconds
    slow = doors.slow_run(PIECES, PIECE_SECONDS, max(1, streams // runs))
    turns: dict[str, doors.Turn] = {
        "cast": doors.cast_run,
        "send-message": doors.send_message,
        "cancel": doors.cancelled_run,
        "upload": doors.upload,
        "job": doors.job,
        "workspace": doors.workspace(base),
    }
    async with asyncio.TaskGroup() as users:
        for number in range(runs):
            latest = until - PIECES * PIECE_SECONDS
            # Not all at once, so that runs begin and end all the time.
            users.create_task(_user("slow run", slow, http, ledger, latest, number * PIECES * PIECE_SECONDS / runs))
        for name, count in BESIDE.items():
            for _ in range(count):
                users.create_task(_user(name, turns[name], http, ledger, until - LONGEST.get(name, 0.0), 0))


async def _user(
    name: str, turn: doors.Turn, http: httpx.AsyncClient, ledger: Ledger, latest: float, after: float
) -> None:
    await asyncio.sleep(after)
    while time.monotonic() < latest:
        client = Client(http, ledger)
        for _ in range(TURNS_OF_A_USER):
            try:
                await turn(client)
            except (httpx.HTTPError, LookupError, ValueError) as error:
                ledger.wrong.append(f"{name}: {error!r:.300}")
            ledger.turns[name] += 1
            await asyncio.sleep(random.uniform(*PAUSES))
            if time.monotonic() >= latest:
                break


async def _memory(stack: RunningStack, seconds: float) -> bool:
    """Print the memory of every process from when the load is there to its end; whether that of the stack stays."""
    begun, resident = time.monotonic(), []
    for part in MEASURED:
        await asyncio.sleep(max(0.0, begun + part * seconds - time.monotonic()))
        found = stack.samples()
        shown = _shown(found)
        table = await asyncio.to_thread(stack.table)
        kept = f"table {table['items']:,} items, {table['bytes'] / 2**20:.0f} MiB"
        uses = f"CPU {stack.cpu_seconds():.0f} s; load of the machine {os.getloadavg()[0]:.1f}"
        print(f"{part * seconds / 60:5.1f} min: {shown}; {stack.clients()} connections; {kept}; {uses}", flush=True)
        resident.append(next(sample.mebibytes for sample in found if sample.name == "tests.load.stack"))
    return resident[-1] - resident[0] <= GROWTH_MIB


def _shown(found: Sequence[Sample]) -> str:
    """The servers, and how many sandboxes there are, which have the name of the stack that forked them."""
    servers = {sample.name: sample for sample in reversed(found)}
    sandboxes = [sample.mebibytes for sample in found if sample not in servers.values()]
    shown = [f"{server.name} {server.mebibytes:.0f} MiB, {server.threads} threads" for server in servers.values()]
    return ", ".join([*shown, f"{len(sandboxes)} sandboxes of {max(sandboxes, default=0):.0f} MiB at most"])


def _left(stack: RunningStack) -> dict[str, int]:
    """What is held when all clients have gone, as soon as it is nothing, or after a while."""
    deadline = time.monotonic() + QUIET_SECONDS
    while any((left := stack.left()).values()) and time.monotonic() < deadline:
        time.sleep(1)
    return left


if __name__ == "__main__":
    sys.exit(main())
