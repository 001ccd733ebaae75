"""The OpenAPI description of `GET /api/v1/automation/jobs`."""

from typing import Final

from functions.openapi import NO_STORE, TO_ANY_CALLER, Operation, ref, refused
from yarrow.protocol.problems import Code

OPERATION: Final = Operation(
    "get",
    "/api/v1/automation/jobs",
    operation_id="list_jobs",
    summary="List the automation jobs",
    description="All of the caller's, oldest first.",
    responses={
        "200": {
            "description": "The jobs.",
            "headers": NO_STORE,
            "content": {"application/json": {"schema": ref("JobList")}},
        }
    },
    refusals=(*TO_ANY_CALLER, *refused(Code.AGENT_RATE_LIMIT)),
)
