"""The OpenAPI description of `GET /api/v1/agent/runs/{threadId}/diagnostics`."""

from typing import Final

from functions.openapi import BY_KEY, NO_STORE, RUN_ID, THREAD_ID, TO_ANY_CALLER, WITHOUT_RUN, Operation, ref, refused
from yarrow.protocol.problems import Code

OPERATION: Final = Operation(
    "get",
    "/api/v1/agent/runs/{threadId}/diagnostics",
    operation_id="diagnose_run",
    summary="Tell the author of a run's agent what happened in it",
    security=BY_KEY,
    description="For the author of an agent, of a run of their own: the exception that ended it, its causes, and the "
    "runner's frames, without secrets; what the run was granted; and, where the deployment or the agent keeps "
    "contents, the calls that were refused and, with `step`, what the model of that step was asked and answered. In a "
    "deployment the caller needs the operators' scope, or an operator's key; on the local stack nobody does. It is "
    "kept as long as the run's events.",
    parameters=[
        THREAD_ID,
        RUN_ID,
        {
            "name": "step",
            "in": "query",
            "description": "The id of a call of a model among the run's steps, whose contents are wanted as `call`.",
            "schema": {"type": "string", "maxLength": 64},
        },
    ],
    responses={
        "200": {
            "description": "What is known: `exceptions` are empty for a run that its runner did not end by one, the "
            "exception that ended it is the first.",
            "headers": NO_STORE,
            "content": {"application/json": {"schema": ref("RunDiagnostics")}},
        }
    },
    refusals=(*TO_ANY_CALLER, *WITHOUT_RUN, *refused(Code.AGENT_RATE_LIMIT)),
)
