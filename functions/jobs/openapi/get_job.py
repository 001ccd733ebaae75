"""The OpenAPI description of `GET /api/v1/automation/jobs/{jobId}`."""

from typing import Final

from functions.openapi import JOB_ANSWER, JOB_ID, TO_ANY_CALLER, Operation, refused
from yarrow.protocol.problems import Code

OPERATION: Final = Operation(
    "get",
    "/api/v1/automation/jobs/{jobId}",
    operation_id="get_job",
    summary="Read an automation job",
    parameters=[JOB_ID],
    responses={"200": {"description": "The job.", **JOB_ANSWER}},
    refusals=(*TO_ANY_CALLER, *refused(Code.AUTOMATION_JOB_NOT_FOUND, Code.AGENT_RATE_LIMIT)),
)
