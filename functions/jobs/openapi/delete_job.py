"""The OpenAPI description of `DELETE /api/v1/automation/jobs/{jobId}`."""

from typing import Final

from functions.openapi import IF_MATCH, JOB_ID, TO_ANY_CALLER, Operation, refused
from yarrow.protocol.problems import Code

OPERATION: Final = Operation(
    "delete",
    "/api/v1/automation/jobs/{jobId}",
    operation_id="delete_job",
    summary="Delete an automation job",
    description="Its session stays in the history.",
    parameters=[JOB_ID, IF_MATCH],
    responses={"204": {"description": "The job is deleted, now or before."}},
    refusals=(
        *TO_ANY_CALLER,
        *refused(Code.AUTOMATION_JOB_NOT_FOUND, Code.AUTOMATION_JOB_CHANGED, Code.AGENT_RATE_LIMIT),
    ),
)
