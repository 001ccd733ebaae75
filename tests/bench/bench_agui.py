"""A run through the AG-UI door, from the request to the last event, beside pydantic-ai's `AGUIAdapter` on uvicorn.

Both have an agent that says so many deltas at once, and the same client reads them; rounds go from one to the other.
Ours is the stack as `make run` starts it: every event is stored before it is sent, in a table in another process. The
adapter stores none. Of ours, each round is another user's, who has had a run before: nobody opens ten streams a second.
"""

import json
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.metadata import version
from statistics import median

import httpx

from tests.bench import servers
from tests.bench.row import Row
from tests.bench.run_client import TIMEOUT, Yarrow, run_input
from tests.support.paths import ROOT

DELTAS = 2_000
WARM_UP = 11
ROUNDS = 11


@dataclass
class Door:
    """A server, and of each of its runs the events and the seconds to the first and to the last of them."""

    users: list[httpx.Client]
    runs: list[tuple[int, float, float]] = field(default_factory=list)

    def run(self, number: int) -> tuple[int, float, float]:
        """Watch one run. Raises ValueError unless every delta comes."""
        http = self.users[number % len(self.users)]
        body = run_input(str(uuid.uuid4()), json.dumps({"deltas": DELTAS, "rate": 0}))
        events, deltas, first, rest = 0, 0, 0.0, b""
        start = time.monotonic()
        with http.stream("POST", "/send-message", json=body) as response:
            response.raise_for_status()
            for chunk in response.iter_raw():
                first = first or time.monotonic()
                *frames, rest = (rest + chunk).split(b"\n\n")
                events += len(frames)
                deltas += sum(b'"TEXT_MESSAGE_CONTENT"' in frame for frame in frames)
        if deltas != DELTAS:
            raise ValueError(f"{deltas} of {DELTAS} deltas came from {http.base_url}")
        return events, first - start, time.monotonic() - start

    def median(self, figure: Callable[[int, float, float], float]) -> float:
        return median(figure(*run) for run in self.runs)


def measure() -> list[Row]:
    """Return the events a second of a whole run and from its first event on, and the time to that."""
    with servers.make_run() as url, _adapter() as peer:
        users = [Yarrow(url).http for _ in range(ROUNDS)]
        ours, theirs = Door(users), Door([httpx.Client(base_url=peer, timeout=TIMEOUT, trust_env=False)])
        for number in range(WARM_UP + ROUNDS):
            for door in (ours, theirs):
                seen = door.run(number)
                if number >= WARM_UP:
                    door.runs.append(seen)
    reference = f"pydantic-ai {version('pydantic-ai-slim')}, AGUIAdapter"

    def row(name: str, unit: str, figure: Callable[[int, float, float], float]) -> Row:
        return Row(f"AG-UI, {name}", unit, ours.median(figure), reference, theirs.median(figure), unit == "1/s")

    return [
        row(f"events of a run of {DELTAS:,}", "1/s", lambda events, _, end: events / end),
        row("the same from its first event on", "1/s", lambda events, first, end: events / (end - first)),
        row("request to first event", "ms", lambda _events, first, _end: first * 1e3),
    ]


@contextmanager
def _adapter() -> Iterator[str]:
    """Yield the base URL of the adapter, in a process of its own."""
    port = servers._unused_port()
    url = f"http://{servers.LOOPBACK}:{port}"
    command = [sys.executable, "-m", "tests.bench.agui_peer"]

    def accepts() -> None:
        httpx.get(url, timeout=servers.START_SECONDS, trust_env=False)

    with servers._process(command, ROOT, {"PORT": port}, accepts):
        yield url
