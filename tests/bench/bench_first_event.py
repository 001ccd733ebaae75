"""What the time from a request at the AG-UI door to its first event consists of, on the stack as `make run` starts it:
the calls of AWS, one after another, and what is left.

Each run is of a user who has had none for a while.
"""

import json
import time
import uuid
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from tests.bench import servers
from tests.bench.engine.spans import Span, recorded
from tests.bench.row import Row
from tests.bench.run_client import Yarrow, run_input

DELTAS = 20
USERS = 20


@dataclass(frozen=True)
class Watched:
    """One run: when it was asked for, when its first event and first delta came, and what the stack did meanwhile."""

    asked: float
    first_event: float
    first_delta: float
    spans: list[Span]

    @property
    def calls(self) -> list[Span]:
        """Of the door, until the first event: one after another."""
        return [each for each in self.spans if each.kind == "call" and each.end <= self.first_event]

    @property
    def own(self) -> float:
        """Seconds to the first event that no call took."""
        return self.first_event - self.asked - sum(each.end - each.begin for each in self.calls)


def watched() -> list[Watched]:
    """A run of each of so many users."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "spans")
        path.touch()
        with servers.make_run({"SPANS": str(path)}) as url:
            users = [Yarrow(url) for _ in range(USERS)]
            for user in users:
                _run(user)
            seen = [_run(user) for user in users]
        spans = recorded(path)
    return [
        Watched(asked, event, delta, [span for span in spans if asked <= span.begin <= delta])
        for asked, event, delta in seen
    ]


def _run(user: Yarrow) -> tuple[float, float, float]:
    body = run_input(str(uuid.uuid4()), json.dumps({"deltas": DELTAS, "rate": 0}))
    first_event = first_delta = 0.0
    asked = time.monotonic()
    with user.http.stream("POST", "/send-message", json=body) as response:
        response.raise_for_status()
        for chunk in response.iter_raw():
            first_event = first_event or time.monotonic()
            if b"TEXT_MESSAGE_CONTENT" in chunk:
                first_delta = first_delta or time.monotonic()
    return asked, first_event, first_delta


def measure() -> list[Row]:
    """Medians of all runs."""
    runs = watched()

    def row(name: str, unit: str, figures: list[float]) -> Row:
        return Row(f"first event at the AG-UI door, {name}", unit, median(figures))

    return [
        row("from the request", "ms", [(each.first_event - each.asked) * 1e3 for each in runs]),
        row("calls of AWS in sequence", "", [float(len(each.calls)) for each in runs]),
        row("what no call takes", "ms", [each.own * 1e3 for each in runs]),
        row("first delta, from the request", "ms", [(each.first_delta - each.asked) * 1e3 for each in runs]),
    ]
