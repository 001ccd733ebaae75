"""Returns a webhook with a page of its deliveries."""

import re
from typing import Final

from yarrow.access import limits
from yarrow.formats.query_number import whole_number
from yarrow.protocol.caller import Caller
from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.webhooks.responses import WebhookWithDeliveries
from yarrow.store.webhooks import deliveries
from yarrow.webhooks.access import get_webhook, members, shown_delivery

DEFAULT_PAGE: Final = 20
MAX_PAGE: Final = 100
DELIVERY_ID: Final = r"msg_[0-9a-f]{32}"


def list_deliveries(caller: Caller, webhook_id: str, limit: str | None, after: str | None) -> WebhookWithDeliveries:
    """Return a webhook with deliveries, latest first; `after` is the `next` of the page before.

    Raises Problem 403, 404 or 422.
    """
    limits.count(caller.user_id, "webhook_reads")
    webhook = get_webhook(caller, webhook_id)
    count = DEFAULT_PAGE if limit is None else whole_number(limit, MAX_PAGE)
    if count is None:
        raise Problem(Code.WEBHOOK_INVALID, f"limit must be 1 to {MAX_PAGE}")
    if after is not None and not is_delivery_id(after):
        raise Problem(Code.WEBHOOK_INVALID, "after must be the next of a page")
    found = deliveries.latest(webhook.id, count + 1, after)
    page, has_more = found[:count], len(found) > count
    return WebhookWithDeliveries(
        **members(webhook),
        deliveries=tuple(map(shown_delivery, page)),
        has_more=has_more,
        next=page[-1].id if has_more else None,
    )


def is_delivery_id(text: str) -> bool:
    return re.fullmatch(DELIVERY_ID, text, re.ASCII) is not None
