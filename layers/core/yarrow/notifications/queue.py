"""The queue of notifications: events of the bus, and later attempts to send one to a device."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Final

from yarrow.formats import json_text
from yarrow.settings import settings
from yarrow.store import clients

PAUSES: Final = tuple(timedelta(seconds=seconds) for seconds in (10, 60, 300, 900, 900))
"""Before the second attempt and later ones, at least."""

MAX_PAUSE: Final = timedelta(minutes=15)
"""SQS keeps no message back for longer."""


def send_again(event: Mapping[str, Any], device_id: str, attempt: int, retry_after: float | None) -> None:
    """Have an attempt, which is not the first, be made after its pause. Raises botocore's errors."""
    pause = max(PAUSES[attempt - 2], timedelta(seconds=retry_after or 0))
    clients.sqs().send_message(
        QueueUrl=settings.notification_queue_url,
        MessageBody=json_text.dumps({"event": event, "deviceId": device_id, "attempt": attempt}),
        DelaySeconds=int(min(pause, MAX_PAUSE).total_seconds()),
    )
