"""The OpenAPI description of `POST /api/v1/webhooks/{webhookId}/test`."""

from typing import Final

from functions.openapi import BY_KEY, TO_ANY_CALLER, WEBHOOK_ID, Operation, ref, refused
from yarrow.protocol.problems import Code

OPERATION: Final = Operation(
    "post",
    "/api/v1/webhooks/{webhookId}/test",
    operation_id="test_webhook",
    summary="Test a webhook",
    security=BY_KEY,
    description="Sends an event `webhook.test` once; its delivery tells what came of it.",
    parameters=[WEBHOOK_ID],
    responses={
        "202": {"description": "The delivery.", "content": {"application/json": {"schema": ref("AcceptedDelivery")}}}
    },
    refusals=(*TO_ANY_CALLER, *refused(Code.AGENT_RATE_LIMIT, Code.WEBHOOK_NOT_FOUND)),
)
