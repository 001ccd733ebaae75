"""The OpenAPI description of `POST /api/v1/webhooks/{webhookId}/deliveries/{deliveryId}/replay`."""

from typing import Final

from functions.openapi import BY_KEY, DELIVERY_ID, TO_ANY_CALLER, WEBHOOK_ID, Operation, ref, refused
from yarrow.protocol.problems import Code

OPERATION: Final = Operation(
    "post",
    "/api/v1/webhooks/{webhookId}/deliveries/{deliveryId}/replay",
    operation_id="replay_delivery",
    summary="Attempt a delivery again",
    security=BY_KEY,
    description="Whatever became of it: under the same `webhook-id`, with later attempts as for a new one.",
    parameters=[WEBHOOK_ID, DELIVERY_ID],
    responses={
        "202": {
            "description": "The delivery is attempted.",
            "content": {"application/json": {"schema": ref("AcceptedDelivery")}},
        }
    },
    refusals=(
        *TO_ANY_CALLER,
        *refused(Code.WEBHOOK_NOT_FOUND, Code.WEBHOOK_DELIVERY_NOT_FOUND, Code.WEBHOOK_DISABLED),
        *refused(Code.AGENT_RATE_LIMIT),
    ),
)
