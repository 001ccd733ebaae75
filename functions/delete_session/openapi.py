"""The OpenAPI description of `DELETE /api/v1/agent/sessions/{threadId}`."""

from typing import Final

from functions.openapi import THREAD_ID, TO_ANY_CALLER, Operation, refused
from yarrow.protocol.problems import Code

OPERATION: Final = Operation(
    "delete",
    "/api/v1/agent/sessions/{threadId}",
    operation_id="delete_session",
    summary="Delete a session",
    description="Cancels its active run, and deletes what models were asked and answered in its runs.",
    parameters=[THREAD_ID],
    responses={"204": {"description": "The session is deleted, or did not exist."}},
    refusals=(*TO_ANY_CALLER, *refused(Code.AGENT_SESSION_ID_INVALID, Code.AGENT_RATE_LIMIT)),
)
