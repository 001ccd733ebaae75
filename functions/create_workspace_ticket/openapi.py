"""The OpenAPI description of `POST /api/v1/workspace/tickets`."""

from typing import Final

from functions.openapi import NO_STORE, TO_ANY_CALLER, Operation, ref, refused
from yarrow.protocol.problems import Code

OPERATION: Final = Operation(
    "post",
    "/api/v1/workspace/tickets",
    operation_id="create_workspace_ticket",
    summary="Get a ticket for a workspace connection",
    description="Browsers cannot send a header with a WebSocket: they open `url`, which carries a ticket of the caller "
    "for this task, within `expiresIn` seconds, once. With a query parameter `clientTag` the ticket is bound to that "
    "client and opens its later connections too, for 12 hours after the latest one, unless the deployment switched "
    "that off. Native clients open the address without a ticket and send their bearer token.",
    request_body={
        "required": True,
        "content": {"application/json": {"schema": ref("TicketRequest"), "example": {"taskName": "assistant"}}},
    },
    responses={
        "201": {
            "description": "The ticket and the WebSocket address with it.",
            "headers": NO_STORE,
            "content": {"application/json": {"schema": ref("Ticket")}},
        }
    },
    refusals=(
        *TO_ANY_CALLER,
        *refused(Code.REQUEST_CONTENT_TYPE_UNSUPPORTED, Code.AGENT_WORKSPACE_TICKET_INVALID),
        *refused(Code.AGENT_TASK_NOT_FOUND, Code.AGENT_RATE_LIMIT),
    ),
)
