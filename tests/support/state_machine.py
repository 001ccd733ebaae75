"""The state machines of runs, read as Step Functions reads them: paths, tasks that fail, and waits."""

import json
from datetime import datetime
from typing import Any, Final

from tests.support.paths import ROOT

Json = dict[str, Any]

TURN_MACHINE_ARN: Final = "arn:aws:states:us-east-1:123456789012:stateMachine:yarrow-turns"


def _definition(name: str) -> Json:
    text = (ROOT / f"functions/execute_run/{name}.asl.json").read_text(encoding="utf-8")
    read: Json = json.loads(text.replace("${TurnMachineArn}", TURN_MACHINE_ARN))
    return read


MACHINE: Final = _definition("run")
"""That of first turns."""

TURN_MACHINE: Final = _definition("turn")


def machine_of(arn: str) -> Json:
    """The definition of a machine, by its ARN."""
    return TURN_MACHINE if arn == TURN_MACHINE_ARN else MACHINE


def payload(state: Json, data: Json) -> Json:
    values: Json = state["Parameters"]["Payload"]
    return {
        name.removesuffix(".$"): at(value, data) if name.endswith(".$") else value for name, value in values.items()
    }


def caught(state: Json, data: Json, error: str) -> tuple[str, Json]:
    """The state after a task that failed, and its data."""
    (catch,) = (item for item in state["Catch"] if {error, "States.ALL"} & {*item["ErrorEquals"]})
    return catch["Next"], {**data, catch["ResultPath"].removeprefix("$."): {"Error": error}}


def wakes_at(state: Json, data: Json) -> float:
    """The end of a wait, in seconds since the epoch."""
    return datetime.fromisoformat(at(state["TimestampPath"], data)).timestamp()


def at(path: str, data: Any) -> Any:
    """What is at a path. Raises KeyError if nothing is."""
    for name in path.removeprefix("$.").split("."):
        data = data[name]
    return data
