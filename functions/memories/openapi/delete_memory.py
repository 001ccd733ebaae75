"""The OpenAPI description of `DELETE /api/v1/memories/{memoryId}`."""

from typing import Final

from functions.openapi import TO_ANY_CALLER, Operation, refused
from yarrow.protocol.problems import Code

OPERATION: Final = Operation(
    "delete",
    "/api/v1/memories/{memoryId}",
    operation_id="delete_memory",
    summary="Have the assistant forget something",
    description="Sessions keep what was said in them.",
    parameters=[
        {
            "name": "memoryId",
            "in": "path",
            "required": True,
            "description": "The memory.",
            "schema": {"type": "string", "pattern": "^[0-9a-f]{32}$"},
        }
    ],
    responses={"204": {"description": "The caller has no such memory any more, or never had."}},
    refusals=(*TO_ANY_CALLER, *refused(Code.AGENT_MEMORY_ID_INVALID, Code.AGENT_RATE_LIMIT)),
)
