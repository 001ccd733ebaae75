"""The OpenAPI description of `GET /api/v1/agent/interrupts`."""

from typing import Final

from functions.openapi import NO_STORE, TO_ANY_CALLER, Operation, after, limit, ref, refused
from yarrow.protocol.problems import Code
from yarrow.runs.list_interrupts import DEFAULT_PAGE, ID, MAX_PAGE

OPERATION: Final = Operation(
    "get",
    "/api/v1/agent/interrupts",
    operation_id="list_interrupts",
    summary="List open questions",
    description="The questions of the caller's runs that wait for an answer, in all sessions, newest first. Each ended "
    "its run, which holds nothing meanwhile; the answer starts a run that goes on.",
    parameters=[
        limit(MAX_PAGE, DEFAULT_PAGE),
        after(ID),
    ],
    responses={
        "200": {
            "description": "A page of questions.",
            "headers": NO_STORE,
            "content": {"application/json": {"schema": ref("InterruptList")}},
        }
    },
    refusals=(*TO_ANY_CALLER, *refused(Code.AGENT_INTERRUPT_QUERY_INVALID, Code.AGENT_RATE_LIMIT)),
)
