"""The queue of webhooks: events of the deployment's bus, and later attempts to deliver them."""

from yarrow.web.cold_start import pause_garbage_collection, resume_garbage_collection

pause_garbage_collection()

from collections.abc import Sequence

from yarrow.store.clients import at_start, dynamodb, scheduler, sqs
from yarrow.web.lambda_queue import Message, batch
from yarrow.webhooks.deliver import deliver


@batch
def handler(messages: Sequence[Message]) -> list[str]:
    """Deliver them and return the ids of those to redeliver."""
    return deliver(messages)


at_start(dynamodb, scheduler, sqs)
resume_garbage_collection()
