"""The state machine of runs, read as Step Functions reads it: paths, results of tasks, choices and waits."""

import json
from datetime import datetime
from typing import Any, Final

from tests.support.paths import ROOT

Json = dict[str, Any]

MACHINE: Final[Json] = json.loads((ROOT / "functions/execute_run/run.asl.json").read_text(encoding="utf-8"))


def payload(state: Json, data: Json) -> Json:
    """What a task's function gets."""
    values: Json = state["Parameters"]["Payload"]
    return {
        name.removesuffix(".$"): at(value, data) if name.endswith(".$") else value for name, value in values.items()
    }


def with_result(state: Json, data: Json, answer: object) -> Json:
    """The data after a task whose function gave this answer."""
    if state["ResultPath"] is None:
        return data
    selected = {
        name.removesuffix(".$"): at(path, {"Payload": answer}) for name, path in state["ResultSelector"].items()
    }
    return {**data, state["ResultPath"].removeprefix("$."): json.loads(json.dumps(selected))}


def caught(state: Json, data: Json, error: str) -> tuple[str, Json]:
    """The state after a task that failed, and its data."""
    (catch,) = (item for item in state["Catch"] if {error, "States.ALL"} & {*item["ErrorEquals"]})
    return catch["Next"], {**data, catch["ResultPath"].removeprefix("$."): {"Error": error}}


def chosen(state: Json, data: Json) -> str:
    """The state after a choice."""
    name: str = next((rule["Next"] for rule in state["Choices"] if _holds(rule, data)), state["Default"])
    return name


def wakes_at(state: Json, data: Json) -> float:
    """The end of a wait, in seconds since the epoch."""
    return datetime.fromisoformat(at(state["TimestampPath"], data)).timestamp()


def at(path: str, data: Any) -> Any:
    """What is at a path. Raises KeyError if nothing is."""
    for name in path.removeprefix("$.").split("."):
        data = data[name]
    return data


def _holds(rule: Json, data: Json) -> bool:
    return (at(rule["Variable"], data) is None) is rule["IsNull"]
