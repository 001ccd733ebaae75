"""What agents of frameworks take behind Yarrow: the quick starts of those that are installed (`make frameworks`), by a
provider on loopback that answers at once, on the local stack.

A run is from its submit to its last event. A worker is killed at the first word of an answer whose words come every
50 ms; the longest silence after it is that of noticing, starting another worker, replaying and asking again.
"""

import time
import uuid
from statistics import median

from tests.bench.row import Row
from tests.support.frameworks.quick_starts import QUICK_STARTS, QuickStart, served
from tests.support.models.server import ModelServer
from tests.support.stack.app import App
from tests.support.stack.runs import submit

ROUNDS = 7
PAUSE_SECONDS = 0.05
PIECES = ("A ", "short ", "answer ", "of ", "the ", "model.")
TEXT = "TEXT_MESSAGE_CONTENT"


def measure() -> list[Row]:
    return [row for start in QUICK_STARTS if start.is_installed for row in _of(start)]


def _of(start: QuickStart) -> list[Row]:
    with served(start) as (provider, url):
        user = App(url, "alice")
        _run(start, provider, user)  # imports what the first run imports
        runs = [_run(start, provider, user) for _ in range(ROUNDS)]
        taken = [_taken_over(start, provider, user) for _ in range(ROUNDS)]
        user.http.close()
    first, whole = zip(*runs, strict=True)
    return [
        Row(f"first word of {start.framework}'s quick start", "ms", median(first) * 1e3),
        Row(f"run of {start.framework}'s quick start", "ms", median(whole) * 1e3),
        Row(f"silence of {start.framework}'s quick start after a kill", "ms", median(taken) * 1e3),
    ]


def _run(start: QuickStart, provider: ModelServer, user: App) -> tuple[float, float]:
    """Seconds until the first word and the end."""
    provider.answers.clear()
    provider.will(*start.answers(*PIECES))
    thread, began, first = str(uuid.uuid4()), time.perf_counter(), 0.0
    submit(user, start.agent, thread, "run-1", start.question)
    for _, kind, _ in user.watch(thread, "run-1"):
        if kind == TEXT and not first:
            first = time.perf_counter() - began
    return first, time.perf_counter() - began


def _taken_over(start: QuickStart, provider: ModelServer, user: App) -> float:
    """Seconds of the longest silence after a kill."""
    provider.answers.clear()
    provider.will(*start.answers(*PIECES, pause=PAUSE_SECONDS))
    thread, spoke, silences = str(uuid.uuid4()), 0.0, [0.0]
    submit(user, start.agent, thread, "run-1", start.question)
    for _, kind, _ in user.watch(thread, "run-1"):
        if kind == TEXT:
            now = time.perf_counter()
            if spoke:
                silences.append(now - spoke)
            else:
                user.http.post("/local/kill", json={"function": "execute_run"}).raise_for_status()
            spoke = now
    return max(silences)
