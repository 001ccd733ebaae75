"""The OpenAPI description of `GET /mcp`."""

from typing import Final

from functions.openapi import BY_KEY, TO_ANY_CALLER, Operation, refused
from yarrow.protocol.problems import Code

OPERATION: Final = Operation(
    "get",
    "/mcp",
    operation_id="get_mcp",
    summary="Refuse a stream beside those of requests",
    security=BY_KEY,
    description="Clients of revisions with `initialize` may ask for one. The server has none, and says so with 405.",
    responses={},
    refusals=(*TO_ANY_CALLER, *refused(Code.REQUEST_METHOD_UNSUPPORTED)),
)
