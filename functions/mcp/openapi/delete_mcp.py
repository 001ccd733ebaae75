"""The OpenAPI description of `DELETE /mcp`."""

from typing import Final

from functions.openapi import BY_KEY, TO_ANY_CALLER, Operation, refused
from yarrow.protocol.problems import Code

OPERATION: Final = Operation(
    "delete",
    "/mcp",
    operation_id="delete_mcp",
    summary="Refuse to end a session",
    security=BY_KEY,
    description="Clients of revisions with `initialize` end sessions so. The server has none, and says so with 405.",
    responses={},
    refusals=(*TO_ANY_CALLER, *refused(Code.REQUEST_METHOD_UNSUPPORTED)),
)
