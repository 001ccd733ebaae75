"""The OpenAPI description of `DELETE /api/v1/webhooks/{webhookId}`."""

from typing import Final

from functions.openapi import BY_KEY, TO_ANY_CALLER, WEBHOOK_ID, Operation, refused
from yarrow.protocol.problems import Code

OPERATION: Final = Operation(
    "delete",
    "/api/v1/webhooks/{webhookId}",
    operation_id="delete_webhook",
    summary="Delete a webhook",
    security=BY_KEY,
    description="What it has not delivered is not sent any more.",
    parameters=[WEBHOOK_ID],
    responses={"204": {"description": "The webhook is deleted, now or before."}},
    refusals=(*TO_ANY_CALLER, *refused(Code.AGENT_RATE_LIMIT, Code.WEBHOOK_NOT_FOUND)),
)
