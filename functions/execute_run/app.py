"""The tasks of the state machines `run.asl.json` and `turn.asl.json`.

An event is `{"task": "work" | "fail", "runKey": …, "turn": …, "turnMachine": …}`.
"""

from yarrow.web.cold_start import pause_garbage_collection, resume_garbage_collection

pause_garbage_collection()

from typing import Any

from yarrow.runs import end_run
from yarrow.runs.start_execution import start_turn
from yarrow.store.clients import at_start, dynamodb
from yarrow.web.lambda_task import task
from yarrow.worker import execute_run
from yarrow.worker.deployment import check_deployment

check_deployment()
at_start(dynamodb)


@task
def handler(event: dict[str, Any]) -> None:
    """Do one task of a run, start its next turn if it has one, and pause its job if that keeps failing.

    The state machine retries errors or fails the run, by class.
    """
    run_key = event["runKey"]
    turn = event.get("turn", 0)  # executions that began before an update name none
    match event["task"]:
        case "work":
            resting = execute_run.work(run_key, turn)
        case "fail":
            resting = end_run.fail(run_key, event["error"], turn)
            execute_run.count_failure(run_key)
        case unknown:
            raise ValueError(f"unknown task {unknown}")
    if resting is not None:
        start_turn(resting, event["turnMachine"])


resume_garbage_collection()
