"""The OpenAPI description of `POST /api/v1/agent/runs/{threadId}/cancel`."""

from typing import Final

from functions.openapi import BY_KEY, RUN, RUN_ID, THREAD, THREAD_ID, TO_ANY_CALLER, WITHOUT_RUN, Operation, refused
from yarrow.protocol.problems import Code

OPERATION: Final = Operation(
    "post",
    "/api/v1/agent/runs/{threadId}/cancel",
    operation_id="cancel_run",
    summary="Cancel a run",
    security=BY_KEY,
    description="Ends the run with RUN_ERROR, code RUN_CANCELED. A run that has finished or failed is not changed: "
    "`accepted` is false. A cancel may be repeated.",
    parameters=[THREAD_ID, RUN_ID],
    responses={
        "200": {
            "description": "The run has ended.",
            "content": {
                "application/json": {
                    "schema": {
                        "type": "object",
                        "properties": {
                            "threadId": {"type": "string"},
                            "runId": {"type": "string"},
                            "accepted": {"type": "boolean", "description": "Whether the run is canceled."},
                        },
                        "required": ["threadId", "runId", "accepted"],
                    },
                    "example": {"threadId": THREAD, "runId": RUN, "accepted": True},
                }
            },
        }
    },
    refusals=(*TO_ANY_CALLER, *WITHOUT_RUN, *refused(Code.AGENT_RATE_LIMIT)),
)
