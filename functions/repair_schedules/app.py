"""The daily sweep over jobs and their schedules."""

from yarrow.web.cold_start import pause_garbage_collection, resume_garbage_collection

pause_garbage_collection()

from typing import Any

from yarrow.automation.repair_schedules import repair_schedules
from yarrow.store.clients import at_start, dynamodb, scheduler
from yarrow.web.lambda_task import task

at_start(dynamodb, scheduler)


@task
def handler(_event: dict[str, Any]) -> None:
    """Repair the schedules that differ from their jobs; idempotent."""
    repair_schedules()


resume_garbage_collection()
