"""How long a run pauses when one worker hands it over to the next, on the local stack.

A pause is from the end of a worker's last step to the beginning of the next worker's first one of its own, as the steps
of the run tell. In it, the runner is stopped, the state machine goes on, and the runner repeats all earlier steps.
"""

import json
import uuid
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from tests.bench.row import Row
from tests.support.stack.app import App
from tests.support.stack.process import running
from tests.support.stack.runs import submit

AGENT = Path(__file__).with_name("lasting_agent.py")
STEPS = 200
RUNS = 4
TURN_SECONDS = 2.0


def measure() -> list[Row]:
    """The pauses of all runs, of which each has about five."""
    with running(environment={"AGENT": str(AGENT), "TURN_SECONDS": str(TURN_SECONDS)}) as url:
        app = App(url, "alice")
        found = [pause for _ in range(RUNS) for pause in _pauses(app)]
        app.http.close()
    name = f"hand-over between workers, up to {STEPS} steps repeated"
    return [Row(f"{name}, p50", "ms", median(found)), Row(f"{name}, p95", "ms", quantiles(found, n=100)[94])]


def _pauses(app: App) -> list[float]:
    """Milliseconds of each pause of a run."""
    thread = str(uuid.uuid4())
    submit(app, "lasting_agent", thread, "run-1", json.dumps({"steps": STEPS}))
    for _ in app.watch(thread, "run-1"):
        pass
    answer = app.http.get(f"/api/v1/agent/runs/{thread}/steps", params={"runId": "run-1"})
    steps: list[dict[str, Any]] = answer.json()["steps"]
    assert len(steps) == STEPS
    return [
        (datetime.fromisoformat(later["startedAt"]) - _end(earlier)) / timedelta(milliseconds=1)
        for earlier, later in pairwise(steps)
        if later["attempt"] > earlier["attempt"]
    ]


def _end(step: dict[str, Any]) -> datetime:
    return datetime.fromisoformat(step["startedAt"]) + timedelta(milliseconds=step["ms"])
