"""The OpenAPI description of `DELETE /api/v1/mcp-connections/{connectionId}`."""

from typing import Final

from functions.openapi import TO_ANY_CALLER, Operation, refused
from yarrow.protocol.problems import Code

OPERATION: Final = Operation(
    "delete",
    "/api/v1/mcp-connections/{connectionId}",
    operation_id="remove_mcp_connection",
    summary="Remove a connection to an MCP server",
    description="Its tokens are deleted, and revoked where the authorization server does so.",
    parameters=[
        {
            "name": "connectionId",
            "in": "path",
            "required": True,
            "description": "The connection.",
            "schema": {"type": "string", "format": "uuid"},
        }
    ],
    responses={"204": {"description": "The caller has no such connection any more, or never had."}},
    refusals=(*TO_ANY_CALLER, *refused(Code.MCP_CONNECTION_NOT_FOUND, Code.AGENT_RATE_LIMIT)),
)
