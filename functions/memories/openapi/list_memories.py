"""The OpenAPI description of `GET /api/v1/memories`."""

from typing import Final

from functions.openapi import NO_STORE, TO_ANY_CALLER, Operation, limit, ref, refused
from yarrow.protocol.problems import Code
from yarrow.runs.memories import CURSOR, DEFAULT_PAGE, MAX_PAGE
from yarrow.store.memories import CHARACTERS, MAX_MEMORIES

AFTER: Final = {"type": "string", "pattern": f"^{CURSOR}$"}

OPERATION: Final = Operation(
    "get",
    "/api/v1/memories",
    operation_id="list_memories",
    summary="List what the assistant remembers",
    description="The texts that the caller had the assistant remember, from all sessions, latest first. "
    f"There are at most {MAX_MEMORIES}, of {CHARACTERS} characters each.",
    parameters=[
        limit(MAX_PAGE, DEFAULT_PAGE),
        {"name": "after", "in": "query", "description": "`next` of the previous page.", "schema": AFTER},
    ],
    responses={
        "200": {
            "description": "A page of memories.",
            "headers": NO_STORE,
            "content": {"application/json": {"schema": ref("MemoryPage")}},
        }
    },
    refusals=(*TO_ANY_CALLER, *refused(Code.AGENT_MEMORY_QUERY_INVALID, Code.AGENT_RATE_LIMIT)),
)
