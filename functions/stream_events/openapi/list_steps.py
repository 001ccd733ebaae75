"""The OpenAPI description of `GET /api/v1/agent/runs/{threadId}/steps`."""

from typing import Final

from functions.openapi import BY_KEY, NO_STORE, RUN_ID, THREAD_ID, TO_ANY_CALLER, WITHOUT_RUN, Operation, ref, refused
from yarrow.protocol.problems import Code

OPERATION: Final = Operation(
    "get",
    "/api/v1/agent/runs/{threadId}/steps",
    operation_id="list_steps",
    summary="List a run's steps",
    security=BY_KEY,
    description="The calls of the run that cost or act: models, tools, knowledge bases, what the agent stores, and its "
    "own steps. Each is listed once it has ended, one that must not be repeated as soon as it begins, with its "
    "duration and tokens, without contents. They are kept as long as the run's events. `notForkable` says why the run, "
    "or a run from a step on, cannot be repeated; where it is absent, it can be.",
    parameters=[THREAD_ID, RUN_ID],
    responses={
        "200": {
            "description": "All steps, in the order in which they began.",
            "headers": NO_STORE,
            "content": {"application/json": {"schema": ref("StepList")}},
        }
    },
    refusals=(*TO_ANY_CALLER, *WITHOUT_RUN, *refused(Code.AGENT_RATE_LIMIT)),
)
