"""The tasks of the state machine `run.asl.json`: `{"task": "work" | "fail", "runKey": …}`."""

from yarrow.web.cold_start import pause_garbage_collection, resume_garbage_collection

pause_garbage_collection()

from typing import Any

from yarrow.runs import end_run
from yarrow.store.clients import at_start, dynamodb
from yarrow.web.lambda_task import task
from yarrow.worker import execute_run, turns
from yarrow.worker.preparation import check_deployment

check_deployment()
at_start(dynamodb)


@task
def handler(event: dict[str, Any]) -> dict[str, str | None] | None:
    """Do one task of a run, and pause its job if that keeps failing.

    Returns None, or how a worker hands its run over. The state machine retries errors or fails the run, by class.
    """
    run_key = event["runKey"]
    match event["task"]:
        case "work":
            return turns.task_result(execute_run.work(run_key))
        case "fail":
            end_run.fail(run_key, event["error"])
            execute_run.count_failure(run_key)
        case unknown:
            raise ValueError(f"unknown task {unknown}")
    return None


resume_garbage_collection()
