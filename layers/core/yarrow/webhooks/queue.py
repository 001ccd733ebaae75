"""The queue of attempts: a message for each, at its time (EVB-04).

A message comes at least once. SQS keeps one back for 15 minutes at most; for longer pauses a one-time schedule of
EventBridge Scheduler sends it, under a name that a second one cannot have.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from botocore.exceptions import ClientError

from yarrow.formats import json_text
from yarrow.settings import settings
from yarrow.store import clients, clock
from yarrow.store.webhooks.webhooks import StoredWebhook

MAX_DELAY: Final = timedelta(minutes=15)


@dataclass(frozen=True, slots=True)
class DueAttempt:
    """The attempt with a number of a delivery, of a webhook of a user or of the deployment.

    One that somebody has asked for is made even if the receiver rests.
    """

    owner: str | None
    webhook_id: str
    delivery_id: str
    number: int
    is_asked_for: bool = False

    def document(self) -> dict[str, Any]:
        """Return it as a message of the queue has it."""
        webhook = {"owner": self.owner, "id": self.webhook_id}
        document = {"webhook": webhook, "deliveryId": self.delivery_id, "attempt": self.number}
        return document | ({"askedFor": True} if self.is_asked_for else {})


def read_due(document: Mapping[str, Any]) -> DueAttempt:
    webhook = document["webhook"]
    asked_for = bool(document.get("askedFor"))
    return DueAttempt(webhook["owner"], webhook["id"], document["deliveryId"], int(document["attempt"]), asked_for)


def send_now(webhook: StoredWebhook, delivery_id: str, number: int) -> None:
    """Have an attempt be made now that somebody has asked for. Raises botocore's errors."""
    _send(json_text.dumps(DueAttempt(webhook.owner, webhook.id, delivery_id, number, is_asked_for=True).document()), 0)


def send_at(at: datetime, webhook: StoredWebhook, delivery_id: str, number: int) -> None:
    """Have an attempt be made at a time. Raises botocore's errors."""
    message = json_text.dumps(DueAttempt(webhook.owner, webhook.id, delivery_id, number).document())
    pause = max(timedelta(0), at - clock.now())
    if pause > MAX_DELAY:
        _schedule(f"{delivery_id}-{number}", message, at)
    else:
        _send(message, int(pause.total_seconds()))


def _send(message: str, seconds: int) -> None:
    clients.sqs().send_message(QueueUrl=settings.webhook_queue_url, MessageBody=message, DelaySeconds=seconds)


def _schedule(name: str, message: str, at: datetime) -> None:
    try:
        clients.scheduler().create_schedule(
            GroupName=settings.webhook_retries,
            Name=name,
            ScheduleExpression=f"at({at:%Y-%m-%dT%H:%M:%S})",
            ScheduleExpressionTimezone="UTC",
            ActionAfterCompletion="DELETE",
            FlexibleTimeWindow={"Mode": "OFF"},
            Target={
                "Arn": settings.webhook_queue_arn,
                "RoleArn": settings.webhook_role_arn,
                "Input": message,
                "DeadLetterConfig": {"Arn": settings.undelivered_webhooks_arn},
            },
        )
    except ClientError as error:
        if error.response["Error"]["Code"] != "ConflictException":
            raise
