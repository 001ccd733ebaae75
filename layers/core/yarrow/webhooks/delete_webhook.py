"""Deletes a webhook. Deliveries that are due find it gone, and its log expires."""

from yarrow.access import limits
from yarrow.protocol.caller import Caller
from yarrow.protocol.run_ids import is_uuid
from yarrow.store.webhooks import webhooks
from yarrow.webhooks.access import not_found, owner_of


def delete_webhook(caller: Caller, webhook_id: str) -> None:
    """Delete a webhook; idempotent. Raises Problem 403, or 404 for what is no id."""
    limits.count(caller.user_id, "webhook_changes")
    owner = owner_of(caller)
    if not is_uuid(webhook_id):
        raise not_found()
    webhooks.delete(owner, webhook_id.lower())
