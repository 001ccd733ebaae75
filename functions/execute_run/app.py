"""The tasks of the state machine `run.asl.json`: `{"task": "prepare" | "work" | "complete" | "fail", "runKey": …}`."""

from typing import Any

from aws_lambda_powertools import Logger
from aws_lambda_powertools.utilities.typing import LambdaContext

from yarrow.host import execution

logger = Logger()


@logger.inject_lambda_context
def handler(event: dict[str, Any], _context: LambdaContext) -> dict[str, Any]:
    """Do one task of one run. Errors go to the state machine, which retries or fails the run by their class."""
    run_key = event["runKey"]
    match event["task"]:
        case "prepare":
            return {"runnable": execution.prepare(run_key)}
        case "work":
            execution.work(run_key)
        case "complete":
            execution.complete(run_key)
        case "fail":
            execution.fail(run_key, event["error"])
        case task:
            raise ValueError(f"unknown task {task}")
    return {}
