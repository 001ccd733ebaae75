"""The timers of open questions: one-time schedules of EventBridge Scheduler, which call `expire_question` (ASK-07).

A timer is set with the event that its question is open, which is published at least once; a second one has the same
name. The timer of a question that was answered finds it closed.
"""

from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from botocore.exceptions import ClientError

from yarrow.formats import json_text
from yarrow.settings import settings
from yarrow.store import clients, clock

RETRY_ATTEMPTS: Final = 20
RETRY_SECONDS: Final = 3600
_AFTER: Final = timedelta(seconds=2)
"""So that a question is over by the clock of the function that its timer calls."""
_SOON: Final = timedelta(seconds=20)
"""What is over already, because the event was late, fires then: Scheduler may refuse a time that has passed."""


def put(user_id: str, question_id: str, at: datetime, attempt: int = 1) -> None:
    """Set a timer unless it is set. Raises botocore's errors."""
    event: dict[str, Any] = {"userId": user_id, "interruptId": question_id, "attempt": attempt}
    due = max(at.astimezone(UTC) + _AFTER, clock.now() + _SOON)
    try:
        clients.scheduler().create_schedule(
            GroupName=settings.question_timers,
            Name=f"{question_id}-{attempt}",
            ScheduleExpression=f"at({due:%Y-%m-%dT%H:%M:%S})",
            ScheduleExpressionTimezone="UTC",
            ActionAfterCompletion="DELETE",
            FlexibleTimeWindow={"Mode": "OFF"},
            Target={
                "Arn": settings.expire_question_arn,
                "RoleArn": settings.timer_role_arn,
                "Input": json_text.dumps(event),
                "RetryPolicy": {"MaximumRetryAttempts": RETRY_ATTEMPTS, "MaximumEventAgeInSeconds": RETRY_SECONDS},
                "DeadLetterConfig": {"Arn": settings.undelivered_events_arn},
            },
        )
    except ClientError as error:
        if error.response["Error"]["Code"] != "ConflictException":
            raise


def delete(question_id: str) -> None:
    """Delete the timers of a question, if there are any. Raises botocore's errors."""
    client, group = clients.scheduler(), settings.question_timers
    for page in client.get_paginator("list_schedules").paginate(GroupName=group, NamePrefix=f"{question_id}-"):
        for timer in page["Schedules"]:
            with suppress(client.exceptions.ResourceNotFoundException):  # it has just fired
                client.delete_schedule(GroupName=group, Name=timer["Name"])
