"""What the time from a request to its first event consists of, on the stack as `make run` starts it: the calls of AWS,
one after another, and what is left. At the AG-UI door that is one request, elsewhere a submit and then a stream.

Each run is of a user who has had none for a while, and begins when the stack is quiet: on AWS the end of a run before
it is published, delivered and pushed by other machines, here by the same two cores.
"""

import json
import time
import uuid
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import httpx

from tests.bench import servers
from tests.bench.engine.spans import Span, recorded
from tests.bench.row import Row
from tests.bench.run_client import Yarrow, run_input

DELTAS = 20
USERS = 20
QUIET_SECONDS = 0.1
MAX_WAIT_SECONDS = 5.0
QUESTION = json.dumps({"deltas": DELTAS, "rate": 0})

DOORS = ("AnyIO worker thread", "yarrow-SubmitRunFunction")

Watching = AbstractContextManager[httpx.Response]


@dataclass(frozen=True)
class Watched:
    """One run: when it was asked for, when its first event and first delta came, and what the stack did meanwhile."""

    submitted: float
    first_event: float
    first_delta: float
    spans: list[Span]

    @property
    def calls(self) -> list[Span]:
        """Return the doors' calls until the first event; the worker's and those of queues run in other threads."""
        waited = [span for span in self.spans if span.kind == "call" and span.end <= self.first_event]
        return [span for span in waited if span.thread.startswith(DOORS)]

    @property
    def own(self) -> float:
        """Seconds to the first event that no call took."""
        return self.first_event - self.submitted - sum(call.end - call.begin for call in self.calls)


def watched(start: Callable[[Yarrow], Watching] | None = None) -> list[Watched]:
    """Return a run of each of so many users, by default at the AG-UI door."""
    start = start or _send_message
    with TemporaryDirectory() as folder:
        path = Path(folder, "spans")
        path.touch()
        with servers.make_run({"SPANS": str(path)}) as url:
            users = [Yarrow(url) for _ in range(USERS)]
            seen = []
            for user in (*users, *users):
                _wait_until_quiet(path)
                seen.append(_run(user, start))
        spans = recorded(path)
    return [
        Watched(requested, event, delta, [span for span in spans if requested <= span.begin <= delta])
        for requested, event, delta in seen[USERS:]
    ]


def _wait_until_quiet(spans: Path) -> None:
    """Wait until the stack has called nothing for a moment, within a limit: what it polls may never end."""
    limit, size = time.monotonic() + MAX_WAIT_SECONDS, -1
    while size != (now := spans.stat().st_size) and time.monotonic() < limit:
        size = now
        time.sleep(QUIET_SECONDS)


def _send_message(user: Yarrow) -> Watching:
    return user.http.stream("POST", "/send-message", json=run_input(str(uuid.uuid4()), QUESTION))


def _submit(user: Yarrow) -> Watching:
    return user.http.stream("GET", user.submit(str(uuid.uuid4()), QUESTION))


def _run(user: Yarrow, start: Callable[[Yarrow], Watching]) -> tuple[float, float, float]:
    first_event = first_delta = 0.0
    requested = time.monotonic()
    with start(user) as response:
        response.raise_for_status()
        for chunk in response.iter_raw():
            first_event = first_event or time.monotonic()
            if b"TEXT_MESSAGE_CONTENT" in chunk:
                first_delta = first_delta or time.monotonic()
    return requested, first_event, first_delta


def measure() -> list[Row]:
    rows: list[Row] = []
    for door, start in (("at the AG-UI door", _send_message), ("of a submit and a stream", _submit)):
        runs = watched(start)
        figures = (
            ("from the request", "ms", [(run.first_event - run.submitted) * 1e3 for run in runs]),
            ("calls of AWS in sequence", "", [float(len(run.calls)) for run in runs]),
            ("what no call takes", "ms", [run.own * 1e3 for run in runs]),
            ("first delta, from the request", "ms", [(run.first_delta - run.submitted) * 1e3 for run in runs]),
        )
        rows += [Row(f"first event {door}, {name}", unit, median(item)) for name, unit, item in figures]
    return rows
