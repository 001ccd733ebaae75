"""The OpenAPI description of `GET /api/v1/operations/users`."""

from typing import Final

from functions.openapi import BY_KEY, NO_STORE, TO_ANY_CALLER, Operation, after, ref, refused
from yarrow.protocol.problems import Code
from yarrow.runs.get_operations import AFTER, MAX_SUBJECT

OPERATION: Final = Operation(
    "get",
    "/api/v1/operations/users",
    operation_id="get_users_of_day",
    summary="Get users of a day",
    security=BY_KEY,
    description="For operators: what users used on a day, by agent and model. Users have the pseudonyms that they have "
    "in the logs.",
    parameters=[
        {
            "name": "day",
            "in": "query",
            "description": "The day (UTC); today by default.",
            "schema": {"type": "string", "format": "date"},
        },
        {
            "name": "subject",
            "in": "query",
            "description": "The id of a user, `sub` of the token: that one alone.",
            "schema": {"type": "string", "minLength": 1, "maxLength": MAX_SUBJECT},
        },
        after(AFTER, "the previous page of the same list"),
    ],
    responses={
        "200": {
            "description": "A page of the day's users.",
            "headers": NO_STORE,
            "content": {"application/json": {"schema": ref("UsersOfDay")}},
        }
    },
    refusals=(*TO_ANY_CALLER, *refused(Code.AGENT_USAGE_QUERY_INVALID, Code.AGENT_RATE_LIMIT)),
)
