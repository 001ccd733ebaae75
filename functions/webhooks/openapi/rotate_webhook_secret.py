"""The OpenAPI description of `POST /api/v1/webhooks/{webhookId}/rotate`."""

from typing import Final

from functions.openapi import BY_KEY, NO_STORE, TO_ANY_CALLER, WEBHOOK_ID, Operation, ref, refused
from yarrow.protocol.problems import Code

OPERATION: Final = Operation(
    "post",
    "/api/v1/webhooks/{webhookId}/rotate",
    operation_id="rotate_webhook_secret",
    summary="Rotate the secret of a webhook",
    security=BY_KEY,
    description="Bodies are signed with both secrets for `overlapHours`. A rotation during another one replaces the "
    "new secret, so that the request may be repeated.",
    parameters=[WEBHOOK_ID],
    request_body={"content": {"application/json": {"schema": ref("SecretRotation")}}},
    responses={
        "200": {
            "description": "The new secret, which no other response has.",
            "headers": NO_STORE,
            "content": {"application/json": {"schema": ref("RotatedSecret")}},
        }
    },
    refusals=(
        *TO_ANY_CALLER,
        *refused(Code.REQUEST_CONTENT_TYPE_UNSUPPORTED, Code.WEBHOOK_INVALID, Code.WEBHOOK_NOT_FOUND),
        *refused(Code.AGENT_RATE_LIMIT),
    ),
)
