"""The OpenAPI description of `GET /api/v1/webhooks`."""

from typing import Final

from functions.openapi import BY_KEY, NO_STORE, TO_ANY_CALLER, Operation, ref, refused
from yarrow.protocol.problems import Code

OPERATION: Final = Operation(
    "get",
    "/api/v1/webhooks",
    operation_id="list_webhooks",
    summary="List the webhooks",
    security=BY_KEY,
    description="Those of the deployment for operators, else the caller's own; oldest first.",
    responses={
        "200": {
            "description": "The webhooks.",
            "headers": NO_STORE,
            "content": {"application/json": {"schema": ref("WebhookList")}},
        }
    },
    refusals=(*TO_ANY_CALLER, *refused(Code.AGENT_RATE_LIMIT)),
)
