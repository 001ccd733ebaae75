"""The target of questions' timers: `{"userId": …, "interruptId": …, "attempt": …}`."""

from yarrow.web.cold_start import pause_garbage_collection, resume_garbage_collection

pause_garbage_collection()

from typing import Any

from yarrow.domain_events.expire_question import expire_question
from yarrow.store.clients import at_start, dynamodb, scheduler, step_functions
from yarrow.web.lambda_task import task

at_start(dynamodb, scheduler, step_functions)


@task
def handler(event: dict[str, Any]) -> None:
    """End a question that has expired; idempotent. Lambda retries after an error."""
    expire_question(event["userId"], event["interruptId"], int(event["attempt"]))


resume_garbage_collection()
