"""The target of jobs' schedules: `{"jobId": …, "version": …, "scheduledTime": …}`."""

from yarrow.web.cold_start import collect_garbage_less_often

collect_garbage_less_often()

from datetime import datetime
from typing import Any

from yarrow.automation.start_job import start_job
from yarrow.store.clients import at_start, dynamodb, scheduler, step_functions
from yarrow.web.lambda_task import task

at_start(dynamodb, scheduler, step_functions)


@task
def handler(event: dict[str, Any]) -> None:
    """Start the run of a slot; idempotent. Lambda tries what it raises again."""
    start_job(event["jobId"], int(event["version"]), datetime.fromisoformat(event["scheduledTime"]))
