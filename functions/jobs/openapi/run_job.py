"""The OpenAPI description of `POST /api/v1/automation/jobs/{jobId}/run`."""

from typing import Final

from functions.openapi import JOB_ID, TO_ANY_CALLER, Operation, ref, refused
from yarrow.protocol.problems import Code
from yarrow.protocol.run_ids import MAX_RUN_ID_LENGTH

_BODY: Final = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "runId": {
            "type": "string",
            "maxLength": MAX_RUN_ID_LENGTH,
            "pattern": "^job-.*-now-",
            "description": "Begins with `job-<jobId>-now-`; with the same, a repeated request is the same run.",
        }
    },
}

OPERATION: Final = Operation(
    "post",
    "/api/v1/automation/jobs/{jobId}/run",
    operation_id="run_job",
    summary="Run an automation job at once",
    description="Whether it is active or not. The run is like those at set times.",
    parameters=[JOB_ID],
    request_body={"content": {"application/json": {"schema": _BODY}}},
    responses={
        "202": {
            "description": "The run is accepted.",
            "content": {"application/json": {"schema": ref("TaskAcceptedResponse")}},
        }
    },
    refusals=(
        *TO_ANY_CALLER,
        *refused(Code.REQUEST_CONTENT_TYPE_UNSUPPORTED, Code.AUTOMATION_JOB_INVALID, Code.AUTOMATION_JOB_NOT_FOUND),
        *refused(Code.AGENT_RUN_IN_PROGRESS, Code.AGENT_RUN_LIMIT, Code.AGENT_RATE_LIMIT, Code.AGENT_TOKEN_LIMIT),
    ),
)
