"""The OpenAPI description of `POST /api/v1/agent/runs`."""

from typing import Final

from functions.openapi import REQUESTS, RUN, THREAD, TO_A_RUN, TRACE_PARENT, Document, Operation, agent, ref, refused
from yarrow.protocol.problems import Code

ASSISTANT_RUN: Final[Document] = {
    "threadId": THREAD,
    "runId": RUN,
    "messages": [{"id": f"msg_{RUN}_user_0", "role": "user", "content": "What is on my calendar today?"}],
    "forwardedProps": {"runtime_mode": "chat"},
}
"""The input every agent takes; with `?agent=assistant` if that is not the default."""

OPERATION: Final = Operation(
    "post",
    "/api/v1/agent/runs",
    operation_id="submit_run",
    summary="Submit a run",
    description="The run, its session and the user's message are stored before the response. Repeating the same body "
    "returns the same response; the same `runId` with a different body is a conflict. A body with `resume` answers the "
    "open questions of its session, and starts the run that goes on; without it, a session with open questions takes "
    "no run.",
    parameters=[agent("the one implied by the input, else the deployment's default"), TRACE_PARENT],
    request_body={
        "required": True,
        "content": {
            "application/json": {
                "schema": ref("RunAgentInput"),
                "examples": {
                    **{name: {"value": request} for name, request in REQUESTS.items()},
                    "assistant": {"value": ASSISTANT_RUN},
                },
            }
        },
    },
    responses={
        "202": {
            "description": "The run is accepted; its events can be streamed.",
            "content": {
                "application/json": {
                    "schema": ref("TaskAcceptedResponse"),
                    "example": {"taskId": "0b2f…", "threadId": THREAD, "runId": RUN, "created": True},
                }
            },
            "links": {
                name: {
                    "operationId": name,
                    "parameters": {"threadId": "$response.body#/threadId", "runId": "$response.body#/runId"},
                }
                for name in ("stream_events", "cancel_run")
            },
        }
    },
    refusals=(
        *TO_A_RUN,
        *refused(Code.AGENT_INTERRUPT_OPEN, Code.AGENT_INTERRUPT_INCOMPLETE, Code.AGENT_INTERRUPT_NOT_FOUND),
        *refused(Code.AGENT_INTERRUPT_ANSWERED, Code.AGENT_INTERRUPT_EXPIRED, Code.AGENT_INTERRUPT_ANSWER_INVALID),
        *refused(Code.AGENT_INTERRUPT_ANSWER_INVALID, status=413),
    ),
)
