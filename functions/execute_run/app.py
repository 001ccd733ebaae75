"""The tasks of the state machine `run.asl.json`: `{"task": "work" | "fail", "runKey": …}`."""

from typing import Any

from yarrow.host import ending, execution
from yarrow.store.clients import at_start, dynamodb_queries
from yarrow.web.lambda_task import task

at_start(dynamodb_queries)


@task
def handler(event: dict[str, Any]) -> None:
    """Do one task of one run. Errors go to the state machine, which retries or fails the run by their class."""
    run_key = event["runKey"]
    match event["task"]:
        case "work":
            execution.work(run_key)
        case "fail":
            ending.fail(run_key, event["error"])
        case unknown:
            raise ValueError(f"unknown task {unknown}")
