"""The OpenAPI description of `GET /api/v1/operations/runs`."""

from typing import Final

from functions.openapi import BY_KEY, NO_STORE, TO_ANY_CALLER, Operation, ref, refused
from yarrow.protocol.problems import Code
from yarrow.runs.get_operations import MAX_DAYS

OPERATION: Final = Operation(
    "get",
    "/api/v1/operations/runs",
    operation_id="get_ended_runs",
    summary="Get ended runs",
    security=BY_KEY,
    description="For operators: how many runs of all users ended, and how, by agent; their failures, times, tokens and "
    "cost. A run counts some seconds after it has ended, and its hour is kept for 40 days. `waitingDeliveries` is of "
    "this moment.",
    parameters=[
        {
            "name": "from",
            "in": "query",
            "description": f"The first day (UTC), at most {MAX_DAYS - 1} before `to`; `to` by default.",
            "schema": {"type": "string", "format": "date"},
        },
        {
            "name": "to",
            "in": "query",
            "description": "The last day; today by default.",
            "schema": {"type": "string", "format": "date"},
        },
        {
            "name": "per",
            "in": "query",
            "description": "What `times` are: hours, by default, or days.",
            "schema": {"enum": ["hour", "day"]},
        },
    ],
    responses={
        "200": {
            "description": "The sums.",
            "headers": NO_STORE,
            "content": {"application/json": {"schema": ref("EndedRuns")}},
        }
    },
    refusals=(*TO_ANY_CALLER, *refused(Code.AGENT_USAGE_QUERY_INVALID, Code.AGENT_RATE_LIMIT)),
)
