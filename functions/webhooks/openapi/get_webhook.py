"""The OpenAPI description of `GET /api/v1/webhooks/{webhookId}`."""

from typing import Final

from functions.openapi import BY_KEY, NO_STORE, TO_ANY_CALLER, WEBHOOK_ID, Operation, after, limit, ref, refused
from yarrow.protocol.problems import Code
from yarrow.store.webhooks.deliveries import KEPT_DAYS
from yarrow.webhooks.list_deliveries import DEFAULT_PAGE, DELIVERY_ID, MAX_PAGE

OPERATION: Final = Operation(
    "get",
    "/api/v1/webhooks/{webhookId}",
    operation_id="get_webhook",
    summary="Read a webhook and its deliveries",
    security=BY_KEY,
    description=f"Latest first; a delivery is kept for {KEPT_DAYS} days.",
    parameters=[
        WEBHOOK_ID,
        limit(MAX_PAGE, DEFAULT_PAGE),
        after(DELIVERY_ID),
    ],
    responses={
        "200": {
            "description": "The webhook and a page of its deliveries.",
            "headers": NO_STORE,
            "content": {"application/json": {"schema": ref("WebhookWithDeliveries")}},
        }
    },
    refusals=(*TO_ANY_CALLER, *refused(Code.AGENT_RATE_LIMIT, Code.WEBHOOK_INVALID, Code.WEBHOOK_NOT_FOUND)),
)
