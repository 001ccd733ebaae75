"""The tasks of the state machine `run.asl.json`: `{"task": "work" | "fail", "runKey": …}`."""

from typing import Any

from aws_lambda_powertools import Logger
from aws_lambda_powertools.utilities.typing import LambdaContext

from yarrow.host import execution

logger = Logger()


@logger.inject_lambda_context
def handler(event: dict[str, Any], _context: LambdaContext) -> None:
    """Do one task of one run. Errors go to the state machine, which retries or fails the run by their class."""
    run_key = event["runKey"]
    match event["task"]:
        case "work":
            execution.work(run_key)
        case "fail":
            execution.fail(run_key, event["error"])
        case task:
            raise ValueError(f"unknown task {task}")
