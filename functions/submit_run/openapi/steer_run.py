"""The OpenAPI description of `POST /api/v1/agent/runs/{threadId}/messages`."""

from typing import Final

from functions.openapi import (
    RUN,
    RUN_ID,
    THREAD,
    THREAD_ID,
    TO_ANY_CALLER,
    WITHOUT_RUN,
    Operation,
    ref,
    refused,
)
from yarrow.protocol.problems import Code

OPERATION: Final = Operation(
    "post",
    "/api/v1/agent/runs/{threadId}/messages",
    operation_id="steer_run",
    summary="Add a message to a run",
    description="Adds a message of the user to a run that goes on. Its agent takes it at its next step, which the "
    "event `yarrow.message-taken` of the run tells; the history then has the message in that place. What the agent has "
    "not taken when the run ends stays in the history without an answer, and the last event but one, "
    "`yarrow.messages-unread`, names it. At most 16 messages a run. The same `id` with the same `content` is one "
    "message, and gets the same answer. `params.reason` of AGENT_RUN_NOT_STEERABLE is `ended`, `agent` if the run's "
    "agent takes no messages while it works, or `not_begun`: then try again after `Retry-After`.",
    parameters=[THREAD_ID, RUN_ID],
    request_body={
        "required": True,
        "content": {
            "application/json": {
                "schema": ref("RunMessage"),
                "example": {"id": "msg-2", "content": "And in Celsius, please."},
            }
        },
    },
    responses={
        "202": {
            "description": "The message is accepted.",
            "content": {
                "application/json": {
                    "schema": ref("RunMessageAccepted"),
                    "example": {"threadId": THREAD, "runId": RUN, "id": "msg-2", "place": 1},
                }
            },
        }
    },
    refusals=(
        *TO_ANY_CALLER,
        *WITHOUT_RUN,
        *refused(Code.AGENT_RUN_NOT_STEERABLE, Code.AGENT_RUN_MESSAGE_CONFLICT, Code.AGENT_RUN_MESSAGE_LIMIT),
        *refused(Code.AGENT_RUN_MESSAGES_INVALID, Code.AGENT_RATE_LIMIT, Code.REQUEST_CONTENT_TYPE_UNSUPPORTED),
    ),
)
