"""The backstop: EventBridge reports an execution that failed, timed out or was aborted; its run is ended."""

from yarrow.web.cold_start import pause_garbage_collection, resume_garbage_collection

pause_garbage_collection()

from typing import Any

from yarrow.runs import end_run
from yarrow.runs.start_execution import run_and_turn, start_turn
from yarrow.settings import settings
from yarrow.store.clients import at_start, dynamodb
from yarrow.web.lambda_task import task

at_start(dynamodb)


@task
def handler(event: dict[str, Any]) -> None:
    """End the run of the execution, or start its next turn if it had been handed over; idempotent."""
    detail = event["detail"]
    run_key, turn = run_and_turn(detail["name"])
    resting = end_run.fail(run_key, detail["status"], turn)
    if resting is not None:
        start_turn(resting, settings.turn_machine_arn)


resume_garbage_collection()
