"""The OpenAPI description of `GET /api/v1/usage`."""

from typing import Final

from functions.openapi import BY_KEY, NO_STORE, TO_ANY_CALLER, Operation, after, ref, refused
from yarrow.protocol.problems import Code
from yarrow.runs.get_usage import AFTER, MAX_DAYS

OPERATION: Final = Operation(
    "get",
    "/api/v1/usage",
    operation_id="get_usage",
    summary="Get usage",
    security=BY_KEY,
    description="What runs have used, by day (UTC), agent and model, and what is left of the caller's limits. A run "
    "counts some seconds after it has ended. Operators get the sums of all users with `by=user`.",
    parameters=[
        {
            "name": "from",
            "in": "query",
            "description": f"The first day; 29 days before `to` by default, at most {MAX_DAYS - 1}.",
            "schema": {"type": "string", "format": "date"},
        },
        {
            "name": "to",
            "in": "query",
            "description": "The last day; today by default.",
            "schema": {"type": "string", "format": "date"},
        },
        {
            "name": "by",
            "in": "query",
            "description": "For operators: the sums of each user.",
            "schema": {"const": "user"},
        },
        after(AFTER, "the previous page of the same list"),
    ],
    responses={
        "200": {
            "description": "A page of sums, the oldest day first.",
            "headers": NO_STORE,
            "content": {"application/json": {"schema": ref("Usage")}},
        }
    },
    refusals=(
        *TO_ANY_CALLER,
        *refused(Code.AGENT_USAGE_QUERY_INVALID, Code.AGENT_RATE_LIMIT),
    ),
)
