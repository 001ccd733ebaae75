"""The backstop: EventBridge tells of an execution that failed, timed out or was aborted; its run is ended with it."""

from typing import Any

from aws_lambda_powertools import Logger
from aws_lambda_powertools.utilities.typing import LambdaContext

from yarrow.host import execution

logger = Logger()


@logger.inject_lambda_context
def handler(event: dict[str, Any], _context: LambdaContext) -> None:
    """End the run named like the execution. Delivered more than once, it does nothing the second time."""
    detail = event["detail"]
    execution.fail(detail["name"], detail["status"])
