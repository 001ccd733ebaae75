"""The OpenAPI description of `POST /api/v1/mcp-connections`."""

from typing import Final

from functions.openapi import NO_STORE, TO_ANY_CALLER, Operation, ref, refused
from yarrow.protocol.problems import Code

OPERATION: Final = Operation(
    "post",
    "/api/v1/mcp-connections",
    operation_id="begin_mcp_sign_in",
    summary="Begin a sign-in to an MCP server",
    description="Send the browser to `authorizationUrl`. It returns to the console's address with `code` and `state`, "
    "which the same user passes on to finish.",
    request_body={"required": True, "content": {"application/json": {"schema": ref("SignInStart")}}},
    responses={
        "201": {
            "description": "The sign-in has begun.",
            "headers": NO_STORE,
            "content": {"application/json": {"schema": ref("McpSignIn")}},
        }
    },
    refusals=(
        *TO_ANY_CALLER,
        *refused(Code.MCP_SERVER_NOT_FOUND, Code.MCP_CONNECTION_INVALID, Code.REQUEST_CONTENT_TYPE_UNSUPPORTED),
        *refused(Code.AGENT_RATE_LIMIT, Code.MCP_SIGN_IN_REFUSED, Code.MCP_SIGN_IN_FAILED),
    ),
)
