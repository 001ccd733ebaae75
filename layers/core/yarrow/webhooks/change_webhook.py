"""Changes, disables and enables a webhook, and rotates its secret."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Final

from yarrow.access import limits
from yarrow.protocol.caller import Caller
from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.webhooks.requests import read_change, read_rotation
from yarrow.store import clock
from yarrow.store.webhooks import webhooks
from yarrow.store.webhooks.webhooks import StoredWebhook
from yarrow.webhooks.access import get_webhook
from yarrow.webhooks.create_webhook import check_url
from yarrow.webhooks.secrets import new_salt

_TRIES: Final = 5


def change_webhook(raw: bytes, caller: Caller, webhook_id: str) -> StoredWebhook:
    """Replace the members that were sent. Raises Problem 403, 404, 413 or 422."""
    limits.count(caller.user_id, "webhook_changes")
    members = read_change(raw).members
    webhook = get_webhook(caller, webhook_id)
    if "url" in members:
        check_url(members["url"])
    if "agents" in members:
        members["agents"] = members["agents"] or ()
    return _stored(caller, webhook, lambda before: replace(before, **members))


def rotate_secret(raw: bytes, caller: Caller, webhook_id: str) -> StoredWebhook:
    """Give a webhook a new secret; the earlier one stays valid for `overlapHours`. Raises Problem as `change_webhook`.

    A rotation during another one replaces the secret that is new, so that a client whose request got no answer may
    repeat it: receivers still have the secret from before.
    """
    limits.count(caller.user_id, "webhook_changes")
    hours = read_rotation(raw).overlap_hours
    webhook = get_webhook(caller, webhook_id)
    salt, until = new_salt(), clock.iso(clock.now() + timedelta(hours=hours))

    def rotated(before: StoredWebhook) -> StoredWebhook:
        earlier = before.previous_salt if before.is_rotating else before.salt
        if not hours:
            return replace(before, salt=salt, previous_salt=None, previous_until=None)
        return replace(before, salt=salt, previous_salt=earlier, previous_until=until)

    return _stored(caller, webhook, rotated)


def _stored(caller: Caller, webhook: StoredWebhook, after: Callable[[StoredWebhook], StoredWebhook]) -> StoredWebhook:
    """Store a webhook as it is after a change, whatever changes it meanwhile."""
    for _ in range(_TRIES):
        changed = webhooks.change(webhook, after(webhook))
        if changed is not None:
            return changed
        webhook = get_webhook(caller, webhook.id)
    raise Problem(Code.SERVICE_UNAVAILABLE, "the webhook is busy")
