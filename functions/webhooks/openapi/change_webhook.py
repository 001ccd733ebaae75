"""The OpenAPI description of `PATCH /api/v1/webhooks/{webhookId}`."""

from typing import Final

from functions.openapi import BY_KEY, NO_STORE, TO_ANY_CALLER, WEBHOOK_ID, Operation, ref, refused
from yarrow.protocol.problems import Code

OPERATION: Final = Operation(
    "patch",
    "/api/v1/webhooks/{webhookId}",
    operation_id="change_webhook",
    summary="Change, disable or enable a webhook",
    security=BY_KEY,
    description="Members that are sent replace the webhook's own, each as a whole. Enabling it forgets its failures.",
    parameters=[WEBHOOK_ID],
    request_body={"required": True, "content": {"application/json": {"schema": ref("WebhookChange")}}},
    responses={
        "200": {
            "description": "The webhook as it is now.",
            "headers": NO_STORE,
            "content": {"application/json": {"schema": ref("Webhook")}},
        }
    },
    refusals=(
        *TO_ANY_CALLER,
        *refused(Code.REQUEST_CONTENT_TYPE_UNSUPPORTED, Code.WEBHOOK_INVALID, Code.WEBHOOK_NOT_FOUND),
        *refused(Code.AGENT_RATE_LIMIT),
    ),
)
