"""The OpenAPI description of `POST /api/v1/mcp-connections/finish`."""

from typing import Final

from functions.openapi import NO_STORE, TO_ANY_CALLER, Operation, ref, refused
from yarrow.protocol.problems import Code

OPERATION: Final = Operation(
    "post",
    "/api/v1/mcp-connections/finish",
    operation_id="finish_mcp_sign_in",
    summary="Finish a sign-in to an MCP server",
    description="By the user who began it, once, within ten minutes. The connection takes the place of an earlier one "
    "to the same server.",
    request_body={"required": True, "content": {"application/json": {"schema": ref("SignInEnd")}}},
    responses={
        "200": {
            "description": "The caller is connected.",
            "headers": NO_STORE,
            "content": {"application/json": {"schema": ref("McpConnection")}},
        }
    },
    refusals=(
        *TO_ANY_CALLER,
        *refused(Code.MCP_SIGN_IN_NOT_FOUND, Code.MCP_SIGN_IN_REFUSED, Code.MCP_CONNECTION_LIMIT),
        *refused(Code.MCP_CONNECTION_INVALID, Code.REQUEST_CONTENT_TYPE_UNSUPPORTED, Code.AGENT_RATE_LIMIT),
        *refused(Code.MCP_SIGN_IN_FAILED),
    ),
)
