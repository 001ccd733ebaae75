"""The OpenAPI description of `GET /api/v1/mcp-connections`."""

from typing import Final

from functions.openapi import NO_STORE, TO_ANY_CALLER, Operation, ref, refused
from yarrow.protocol.problems import Code

OPERATION: Final = Operation(
    "get",
    "/api/v1/mcp-connections",
    operation_id="list_mcp_connections",
    summary="List the connections to MCP servers",
    description="The caller's connections, oldest first, and the servers of agents that they can sign in to.",
    responses={
        "200": {
            "description": "The connections.",
            "headers": NO_STORE,
            "content": {"application/json": {"schema": ref("McpConnectionList")}},
        }
    },
    refusals=(*TO_ANY_CALLER, *refused(Code.AGENT_RATE_LIMIT)),
)
