"""The backstop: EventBridge reports an execution that failed, timed out or was aborted; its run is ended."""

from yarrow.web.cold_start import pause_garbage_collection, resume_garbage_collection

pause_garbage_collection()

from typing import Any

from yarrow.runs import end_run
from yarrow.store.clients import at_start, dynamodb
from yarrow.web.lambda_task import task

at_start(dynamodb)


@task
def handler(event: dict[str, Any]) -> None:
    """End the run named like the execution; idempotent."""
    detail = event["detail"]
    end_run.fail(detail["name"], detail["status"])


resume_garbage_collection()
