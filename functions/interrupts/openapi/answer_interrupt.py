"""The OpenAPI description of `POST /api/v1/agent/interrupts/{interruptId}`."""

from typing import Final

from functions.openapi import TO_ANY_CALLER, TRACE_PARENT, Operation, ref, refused
from yarrow.protocol.problems import Code

OPERATION: Final = Operation(
    "post",
    "/api/v1/agent/interrupts/{interruptId}",
    operation_id="answer_interrupt",
    summary="Answer a question",
    description="Starts the run that goes on where the question was asked, in the same session. The first answer "
    "counts: another one is 409, the same one again gets the same run. If the session's run asked several questions, "
    "the others stay open. An expired question can only be cancelled.",
    parameters=[
        {
            "name": "interruptId",
            "in": "path",
            "required": True,
            "description": "The question.",
            "schema": {"type": "string"},
        },
        TRACE_PARENT,
    ],
    request_body={
        "required": True,
        "content": {
            "application/json": {
                "schema": ref("InterruptAnswer"),
                "examples": {
                    "yes": {"value": {"status": "resolved", "payload": {"approved": True}}},
                    "no": {"value": {"status": "resolved", "payload": {"approved": False, "reason": "too dear"}}},
                    "cancel": {"value": {"status": "cancelled"}},
                },
            }
        },
    },
    responses={
        "202": {
            "description": "The answer is taken; the events of the run that goes on can be streamed.",
            "content": {"application/json": {"schema": ref("TaskAcceptedResponse")}},
        }
    },
    refusals=(
        *TO_ANY_CALLER,
        *refused(Code.AGENT_SESSION_NOT_FOUND, Code.AGENT_INTERRUPT_NOT_FOUND, Code.AGENT_INTERRUPT_ANSWERED),
        *refused(Code.AGENT_RUN_IN_PROGRESS, Code.AGENT_SESSION_RUN_LIMIT_EXCEEDED, Code.AGENT_INTERRUPT_EXPIRED),
        *refused(Code.AGENT_INTERRUPT_ANSWER_INVALID, status=413),
        *refused(Code.REQUEST_CONTENT_TYPE_UNSUPPORTED, Code.AGENT_INTERRUPT_ANSWER_INVALID),
        *refused(Code.AGENT_RUN_LIMIT, Code.AGENT_RATE_LIMIT, Code.AGENT_TOKEN_LIMIT),
    ),
)
