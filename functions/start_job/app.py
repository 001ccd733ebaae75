"""The target of jobs' schedules: `{"jobId": …, "version": …, "scheduledTime": …}`, and `delayMinutes` if not 0.

For slots that have waited for an answer: `{"jobId": …, "waitedUntil": …}`.
"""

from yarrow.web.cold_start import pause_garbage_collection, resume_garbage_collection

pause_garbage_collection()

from datetime import datetime, timedelta
from typing import Any

from yarrow.automation.start_job import start_job
from yarrow.automation.waiting_slots import start_waiting
from yarrow.store.clients import at_start, dynamodb, scheduler, step_functions
from yarrow.web.lambda_task import task

at_start(dynamodb, scheduler, step_functions)


@task
def handler(event: dict[str, Any]) -> None:
    """Start the run of a slot; idempotent. Lambda retries after an error."""
    if waited_until := event.get("waitedUntil"):
        start_waiting(event["jobId"], datetime.fromisoformat(waited_until))
        return
    delay = int(event.get("delayMinutes", 0))
    due = datetime.fromisoformat(event["scheduledTime"]) - timedelta(minutes=delay)
    start_job(event["jobId"], int(event["version"]), due, delay)


resume_garbage_collection()
