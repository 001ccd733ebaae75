"""Creates a webhook."""

import uuid
from datetime import timedelta
from typing import Final

from yarrow.access import limits
from yarrow.observability.logs import logger
from yarrow.protocol.caller import Caller
from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.webhooks.requests import WebhookFields, is_local, read_new
from yarrow.settings import settings
from yarrow.store import clock, table
from yarrow.store.webhooks import webhooks
from yarrow.store.webhooks.webhooks import StoredWebhook
from yarrow.webhooks.access import owner_of
from yarrow.webhooks.secrets import new_salt

REPEATABLE: Final = timedelta(minutes=10)
"""How long a repeated request is answered with the secret again."""


def create_webhook(raw: bytes, caller: Caller) -> StoredWebhook:
    """Store a webhook, or return the one that the same request has made: a client that chooses the `id` may repeat it.

    Raises Problem 403, 409, 413 or 422.
    """
    limits.count(caller.user_id, "webhook_changes")
    fields = read_new(raw)
    owner = owner_of(caller)
    check_url(fields.url)
    now = clock.now_iso()
    webhook = StoredWebhook(
        id=(fields.id or str(uuid.uuid4())).lower(),
        user_id=caller.user_id,
        owner=owner,
        version=1,
        url=fields.url,
        events=fields.events,
        agents=fields.agents or (),
        include=fields.include,
        description=fields.description,
        salt=new_salt(),
        created_at=now,
        updated_at=now,
    )
    most = settings.webhooks_per_deployment if owner is None else settings.webhooks_per_user
    try:
        webhooks.create(webhook, most)
    except (webhooks.TooManyWebhooksError, table.ConditionFailedError) as error:
        there = webhooks.read(owner, webhook.id)
        if there is not None:
            return _repeated(there, fields)
        if not isinstance(error, webhooks.TooManyWebhooksError):
            raise
        raise Problem(Code.WEBHOOK_LIMIT, "too many webhooks", params={"limit": most}) from error
    logger.info("a webhook is created", extra={"webhook_id": webhook.id})
    return webhook


def check_url(url: str) -> None:
    """Refuse what only the local stack may send to. Raises Problem 422."""
    if is_local(url) and settings.in_lambda:
        reason = "must be an https URL"
        raise Problem(Code.WEBHOOK_INVALID, "invalid url", params={"reason": reason})


def _repeated(there: StoredWebhook, fields: WebhookFields) -> StoredWebhook:
    members = (there.url, there.events, there.agents, there.include, there.description)
    is_same = members == (fields.url, fields.events, fields.agents or (), fields.include, fields.description)
    if not is_same or there.version > 1 or clock.since(there.created_at) > REPEATABLE:
        reason = "belongs to another webhook, or to one that was changed or made before"
        raise Problem(Code.WEBHOOK_INVALID, "invalid id", params={"reason": reason})
    return there
