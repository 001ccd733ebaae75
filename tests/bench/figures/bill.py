"""The bill of a month for so many daily users, by service: counted use of runs, reckoned use of the rest, list prices.

Not in it: the model's tokens, speech, files, support, discounts. All prices but Cognito's are those of the first step.
"""

import json
import math
from itertools import pairwise
from typing import Any, Final

from tests.bench.figures.workspace_use import CONNECTED_HOUR, SHORT_SECONDS, WORKSPACE_RUN
from tests.bench.scale import HABITS, HERE, USE

_FILE: Final[dict[str, Any]] = json.loads((HERE / "prices.json").read_text(encoding="utf-8"))
PRICES: Final[dict[str, Any]] = _FILE["prices"]
BESIDE: Final[dict[str, Any]] = _FILE["beside the bill"]

DAYS: Final = 30
LOG_BYTES: Final = 6_000
"""A run's log lines, Lambda's own included."""
TRACED: Final = 0.05
"""Of requests and executions, when there are many."""
TRACES: Final = 3
"""That a run could have: two requests and its execution."""

SHORT_REQUEST: Final[dict[str, float]] = {
    "api gateway requests": 1,
    "lambda requests": 1,
    "lambda gb-seconds": 0.5 * SHORT_SECONDS,
    "dynamodb read units": 2,
    "bytes sent to the client": 4_000,
}
"""A request other than a submit or a stream."""


def used(users: float) -> dict[str, float]:
    """What a month uses, by what has a price."""
    runs = users * DAYS * (HABITS.runs + HABITS.jobs)
    amounts: dict[str, float] = {name: runs * amount for name, amount in USE["run"]["used"].items()}
    more = [
        (users * DAYS * HABITS.jobs, USE["firing"]),
        (users * DAYS * HABITS.workspace_minutes / 60, CONNECTED_HOUR),
        (users * DAYS * HABITS.workspace_runs, WORKSPACE_RUN),
        (users * DAYS * HABITS.requests, SHORT_REQUEST),
        (runs, {"log bytes": LOG_BYTES, "traces": TRACES * TRACED}),
    ]
    for times, item in more:
        for name, amount in item.items():
            amounts[name] = amounts.get(name, 0) + times * amount
    amounts["cognito lite monthly users"] = users * HABITS.monthly_users
    amounts["fixed"] = 1
    return amounts


def price(name: str, amount: float) -> float:
    """Return the price in USD; a price in steps charges each part at that of its step."""
    entry = PRICES.get(name) or BESIDE[name]
    if "steps" not in entry:
        return float(amount * entry["usd"] / entry["per"])
    total, steps = 0.0, [*entry["steps"], {"over": math.inf}]
    for step, following in pairwise(steps):
        total += max(0.0, min(amount, following["over"]) - step["over"]) * step["usd"]
    return total


def bill(users: float) -> dict[str, float]:
    """Return USD a month by service, without the model's tokens; storage is that of a month's runs."""
    parts: dict[str, float] = {}
    for name, amount in used(users).items():
        service = PRICES[name].get("service", name)
        parts[service] = parts.get(service, 0) + price(name, amount)
    return dict(sorted(parts.items(), key=lambda part: -part[1]))
