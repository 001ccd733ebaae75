"""The OpenAPI description of `POST /api/v1/agent/runs/{threadId}/fork`."""

from typing import Final

from functions.openapi import RUN_ID, THREAD, THREAD_ID, TO_A_RUN, TRACE_PARENT, WITHOUT_RUN, Operation, ref, refused
from yarrow.protocol.problems import Code

OPERATION: Final = Operation(
    "post",
    "/api/v1/agent/runs/{threadId}/fork",
    operation_id="fork_run",
    summary="Repeat a run from a step on",
    description="Starts a run with the same input in a session that it creates, which begins with the latest messages "
    "before the run. Steps that began before `step` answer from the run's log; `step` and whatever the agent does from "
    "there on is made again: models are asked and paid for, and tools act. The run that is repeated stays as it is. "
    "Repeating the request returns the same response. `notForkable` among the run's steps says beforehand what would "
    "be refused; the refusal has the same word in `params.reason`.",
    parameters=[THREAD_ID, RUN_ID, TRACE_PARENT],
    request_body={
        "required": True,
        "content": {
            "application/json": {
                "schema": ref("ForkRequest"),
                "example": {"threadId": THREAD, "runId": "run-2", "step": "9f86d081884c7d659a2feaa0c55ad015.0001"},
            }
        },
    },
    responses={
        "202": {
            "description": "The run is accepted; its events can be streamed.",
            "content": {"application/json": {"schema": ref("TaskAcceptedResponse")}},
        }
    },
    refusals=tuple(
        dict.fromkeys(
            (
                *TO_A_RUN,
                *WITHOUT_RUN,
                *refused(Code.AGENT_STEP_NOT_FOUND, Code.AGENT_RUN_NOT_FORKABLE, Code.AGENT_RUN_EVENTS_EXPIRED),
            )
        )
    ),
)
