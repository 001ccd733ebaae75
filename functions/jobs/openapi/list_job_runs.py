"""The OpenAPI description of `GET /api/v1/automation/jobs/{jobId}/runs`."""

from typing import Final

from functions.openapi import JOB_ID, NO_STORE, TO_ANY_CALLER, Operation, ref, refused
from yarrow.automation.list_job_runs import DEFAULT_RUNS, MAX_RUNS
from yarrow.protocol.problems import Code
from yarrow.store.automation.job_runs import KEPT_DAYS

OPERATION: Final = Operation(
    "get",
    "/api/v1/automation/jobs/{jobId}/runs",
    operation_id="list_job_runs",
    summary="List the runs of an automation job",
    description=f"Latest first, those of the last {KEPT_DAYS} days; slots that were skipped or refused as well.",
    parameters=[
        JOB_ID,
        {
            "name": "limit",
            "in": "query",
            "schema": {"type": "integer", "minimum": 1, "maximum": MAX_RUNS, "default": DEFAULT_RUNS},
        },
        {
            "name": "cursor",
            "in": "query",
            "description": "`next_cursor` of the previous page.",
            "schema": {"type": "string", "pattern": "^([A-Za-z0-9_-]{4})*([A-Za-z0-9_-]{2}==|[A-Za-z0-9_-]{3}=)?$"},
        },
    ],
    responses={
        "200": {
            "description": "A page of runs.",
            "headers": NO_STORE,
            "content": {"application/json": {"schema": ref("JobRunPage")}},
        }
    },
    refusals=(
        *TO_ANY_CALLER,
        *refused(Code.AUTOMATION_JOB_INVALID, Code.AUTOMATION_JOB_NOT_FOUND, Code.AGENT_RATE_LIMIT),
    ),
)
