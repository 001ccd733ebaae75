"""Has a delivery be attempted now: a test of a webhook, or a replay of an earlier delivery."""

import uuid
from typing import Final

from yarrow.access import limits
from yarrow.protocol.caller import Caller
from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.webhooks.kinds import TEST
from yarrow.store import clock
from yarrow.store.webhooks import deliveries
from yarrow.webhooks import queue
from yarrow.webhooks.access import get_webhook
from yarrow.webhooks.list_deliveries import is_delivery_id

_TRIES: Final = 5


def send_test(caller: Caller, webhook_id: str) -> str:
    """Send a test event to a webhook, once, disabled or not; returns the id of its delivery.

    Raises Problem 403, 404 or 429.
    """
    limits.count(caller.user_id, "webhook_sends")
    webhook = get_webhook(caller, webhook_id)
    event_id, data = f"test-{uuid.uuid4()}", {"webhookId": webhook.id}
    event = {"id": event_id, "type": TEST, "timestamp": clock.now_iso(), "data": data}
    delivery = deliveries.create(webhook.id, event, caller.user_id)
    queue.send_now(webhook, delivery.id, 1)
    return delivery.id


def replay_delivery(caller: Caller, webhook_id: str, delivery_id: str) -> str:
    """Attempt a delivery again, whatever became of it, under its id; later attempts follow as for a new one.

    Raises Problem 403, 404, 409 or 429.
    """
    limits.count(caller.user_id, "webhook_sends")
    webhook = get_webhook(caller, webhook_id)
    if not webhook.is_active:
        raise Problem(Code.WEBHOOK_DISABLED, "the webhook is disabled")
    for _ in range(_TRIES):
        delivery = deliveries.read(webhook.id, delivery_id) if is_delivery_id(delivery_id) else None
        if delivery is None:
            raise Problem(Code.WEBHOOK_DELIVERY_NOT_FOUND, "there is no such delivery")
        if delivery.status == "pending" or deliveries.replay(webhook.id, delivery) is not None:
            queue.send_now(webhook, delivery.id, delivery.count + 1)
            return delivery.id
    raise Problem(Code.SERVICE_UNAVAILABLE, "the delivery is busy")
