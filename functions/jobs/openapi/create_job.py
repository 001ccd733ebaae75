"""The OpenAPI description of `POST /api/v1/automation/jobs`."""

from typing import Final

from functions.openapi import JOB_ANSWER, TO_ANY_CALLER, Operation, ref, refused
from yarrow.protocol.problems import Code

OPERATION: Final = Operation(
    "post",
    "/api/v1/automation/jobs",
    operation_id="create_job",
    summary="Create an automation job",
    description="A job runs by itself at set times: its `input_template`, filled in, is the user's message of a "
    "run in a session of the job's own, with the tools and the context that it names. Names may also be in camelCase. "
    "With an `id` it is safe to repeat: the same id and members are the same job.",
    request_body={"required": True, "content": {"application/json": {"schema": ref("JobFields")}}},
    responses={"201": {"description": "The job.", **JOB_ANSWER}},
    refusals=(
        *TO_ANY_CALLER,
        *refused(Code.REQUEST_CONTENT_TYPE_UNSUPPORTED, Code.AUTOMATION_JOB_INVALID),
        *refused(Code.AUTOMATION_SCHEDULE_UNSUPPORTED),
        *refused(Code.AUTOMATION_JOB_LIMIT, Code.AGENT_RATE_LIMIT),
    ),
)
