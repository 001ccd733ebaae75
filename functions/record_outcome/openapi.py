"""The OpenAPI description of `POST /api/v1/agent/sessions/{threadId}/outcome`."""

from typing import Final

from functions.openapi import NO_STORE, THREAD_ID, TO_ANY_CALLER, Operation, ref, refused
from yarrow.protocol.problems import Code

OPERATION: Final = Operation(
    "post",
    "/api/v1/agent/sessions/{threadId}/outcome",
    operation_id="record_outcome",
    summary="Record how a reading turned out",
    description="Records how the reading of `runId`, by default the latest one of the session, turned out. A session "
    "has one outcome: a later one replaces it, the same one again changes nothing. The history shows it and the record "
    "of all sessions; deleting the session deletes it. Follow-ups, declined readings and crisis answers have none.",
    parameters=[THREAD_ID],
    request_body={
        "required": True,
        "content": {
            "application/json": {
                "schema": ref("OutcomeRequest"),
                "example": {"outcome": "came_true", "note": "The offer came on Friday."},
            }
        },
    },
    responses={
        "200": {
            "description": "The outcome.",
            "headers": NO_STORE,
            "content": {"application/json": {"schema": ref("SessionOutcome")}},
        }
    },
    refusals=(
        *TO_ANY_CALLER,
        *refused(Code.AGENT_SESSION_NOT_FOUND, Code.AGENT_RUN_NOT_FOUND, Code.AGENT_SESSION_ID_INVALID),
        *refused(Code.REQUEST_CONTENT_TYPE_UNSUPPORTED, Code.AGENT_OUTCOME_INVALID, Code.AGENT_OUTCOME_NO_READING),
        *refused(Code.AGENT_RATE_LIMIT),
    ),
)
