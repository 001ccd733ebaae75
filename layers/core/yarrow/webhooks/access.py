"""Finds the webhooks that a caller may manage, and shows them: those of the deployment for operators, else the user's
own.
"""

from typing import Any

from yarrow.protocol.caller import Caller
from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.run_ids import is_uuid
from yarrow.protocol.webhooks.responses import DeliveryAttempt, NewWebhook, Webhook, WebhookDelivery
from yarrow.settings import settings
from yarrow.store.webhooks import webhooks
from yarrow.store.webhooks.deliveries import StoredDelivery
from yarrow.store.webhooks.webhooks import StoredWebhook
from yarrow.webhooks.secrets import secret


def owner_of(caller: Caller) -> str | None:
    """Return whose webhooks the caller manages; None for the deployment's. Raises Problem 403."""
    if settings.webhooks != "off" and caller.operates:
        return None
    if settings.webhooks == "users":
        return caller.user_id
    raise Problem(Code.AGENT_FORBIDDEN, "only operators have webhooks here, if anybody has")


def get_webhook(caller: Caller, webhook_id: str) -> StoredWebhook:
    """Return a webhook that the caller manages. Raises Problem 403 or 404."""
    owner = owner_of(caller)
    webhook = webhooks.read(owner, webhook_id.lower()) if is_uuid(webhook_id) else None
    if webhook is None:
        raise not_found()
    return webhook


def not_found() -> Problem:
    return Problem(Code.WEBHOOK_NOT_FOUND, "there is no such webhook")


def shown(webhook: StoredWebhook) -> Webhook:
    return Webhook(**members(webhook))


def shown_with_secret(webhook: StoredWebhook) -> NewWebhook:
    return NewWebhook(**members(webhook), secret=secret(webhook.id, webhook.salt))


def members(webhook: StoredWebhook) -> dict[str, Any]:
    """Return what every response says of a webhook."""
    return {
        "id": webhook.id,
        "scope": "deployment" if webhook.owner is None else "user",
        "url": webhook.url,
        "events": webhook.events,
        "agents": webhook.agents or None,
        "include": webhook.include or None,
        "description": webhook.description,
        "status": webhook.status,
        "disabled_reason": webhook.disabled_reason,
        "failing_since": webhook.failing_since,
        "previous_secret_expires_at": webhook.previous_until if webhook.is_rotating else None,
        "created_at": webhook.created_at,
        "updated_at": webhook.updated_at,
    }


def shown_delivery(delivery: StoredDelivery) -> WebhookDelivery:
    return WebhookDelivery(
        id=delivery.id,
        event_id=delivery.event["id"],
        type=delivery.event["type"],
        status=delivery.status,
        created_at=delivery.created_at,
        attempt_count=delivery.count,
        next_attempt_at=delivery.due_at,
        attempts=tuple(
            DeliveryAttempt(
                attempt=attempt.number,
                at=attempt.at,
                milliseconds=attempt.milliseconds,
                status=attempt.status,
                error=attempt.error,
                answer=attempt.answer,
            )
            for attempt in delivery.attempts
        ),
    )
