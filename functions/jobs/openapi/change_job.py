"""The OpenAPI description of `PATCH /api/v1/automation/jobs/{jobId}`."""

from typing import Final

from functions.openapi import IF_MATCH, JOB_ANSWER, JOB_ID, TO_ANY_CALLER, Operation, ref, refused
from yarrow.protocol.problems import Code

OPERATION: Final = Operation(
    "patch",
    "/api/v1/automation/jobs/{jobId}",
    operation_id="change_job",
    summary="Change, pause or resume an automation job",
    description="Members that are sent replace the job's own, each as a whole; `status` pauses and resumes it.",
    parameters=[JOB_ID, IF_MATCH],
    request_body={"required": True, "content": {"application/json": {"schema": ref("JobChange")}}},
    responses={"200": {"description": "The job as it is now.", **JOB_ANSWER}},
    refusals=(
        *TO_ANY_CALLER,
        *refused(Code.REQUEST_CONTENT_TYPE_UNSUPPORTED, Code.AUTOMATION_JOB_INVALID),
        *refused(Code.AUTOMATION_SCHEDULE_UNSUPPORTED),
        *refused(Code.AUTOMATION_JOB_NOT_FOUND, Code.AUTOMATION_JOB_CHANGED, Code.AGENT_RATE_LIMIT),
    ),
)
