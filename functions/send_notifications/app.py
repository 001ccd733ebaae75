"""The queue of notifications: events of the deployment's bus, and later attempts to tell a device of them."""

from yarrow.web.cold_start import pause_garbage_collection, resume_garbage_collection

pause_garbage_collection()

from collections.abc import Sequence

from yarrow.notifications.send_notifications import send_notifications
from yarrow.store.clients import at_start, dynamodb, sqs
from yarrow.web.lambda_queue import Message, batch


@batch
def handler(messages: Sequence[Message]) -> list[str]:
    """Tell devices and return the ids of the messages to redeliver."""
    return send_notifications(messages)


at_start(dynamodb, sqs)
resume_garbage_collection()
