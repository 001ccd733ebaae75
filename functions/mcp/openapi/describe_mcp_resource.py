"""The OpenAPI description of the MCP server's OAuth metadata."""

from typing import Final

from functions.openapi import BY_GATEWAY, Operation
from yarrow.mcp_server.oauth_metadata import PATH

OPERATION: Final = Operation(
    "get",
    PATH,
    operation_id="describe_mcp_resource",
    summary="Get the MCP server's OAuth metadata",
    security=[],
    description="The metadata of a protected resource (RFC 9728), by which clients of MCP find who issues tokens.",
    responses={
        "200": {
            "description": "Tokens are for `resource`, or for the deployment's audience.",
            "headers": {"Cache-Control": {"schema": {"const": "public, max-age=3600"}}},
            "content": {
                "application/json": {
                    "schema": {
                        "type": "object",
                        "properties": {
                            "resource": {"type": "string"},
                            "authorization_servers": {"type": "array", "items": {"type": "string"}},
                            "scopes_supported": {"type": "array", "items": {"type": "string"}},
                            "bearer_methods_supported": {"type": "array", "items": {"type": "string"}},
                            "resource_name": {"type": "string"},
                        },
                        "required": ["resource", "authorization_servers"],
                    }
                }
            },
        }
    },
    refusals=BY_GATEWAY,
)
