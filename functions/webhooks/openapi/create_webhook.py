"""The OpenAPI description of `POST /api/v1/webhooks`."""

from typing import Final

from functions.openapi import BY_KEY, NO_STORE, TO_ANY_CALLER, Operation, ref, refused
from yarrow.protocol.problems import Code

OPERATION: Final = Operation(
    "post",
    "/api/v1/webhooks",
    operation_id="create_webhook",
    summary="Create a webhook",
    security=BY_KEY,
    description="A webhook sends events to a URL, signed as Standard Webhooks are. Operators send those of all users; "
    "users, if the deployment lets them, their own. The response has the secret, which no other one has. With an `id` "
    "the request is safe to repeat for ten minutes.",
    request_body={"required": True, "content": {"application/json": {"schema": ref("WebhookFields")}}},
    responses={
        "201": {
            "description": "The webhook and its secret.",
            "headers": NO_STORE,
            "content": {"application/json": {"schema": ref("NewWebhook")}},
        }
    },
    refusals=(
        *TO_ANY_CALLER,
        *refused(Code.REQUEST_CONTENT_TYPE_UNSUPPORTED, Code.WEBHOOK_INVALID, Code.WEBHOOK_LIMIT),
        *refused(Code.AGENT_RATE_LIMIT),
    ),
)
