"""The OpenAPI description of `GET /openapi.json`."""

from typing import Final

from functions.openapi import BY_GATEWAY, Operation

OPERATION: Final = Operation(
    "get",
    "/openapi.json",
    operation_id="describe_api",
    summary="This document",
    security=[],
    responses={
        "200": {
            "description": "The OpenAPI description of the API.",
            "content": {
                "application/json": {
                    "schema": {
                        "type": "object",
                        "properties": {"openapi": {"type": "string", "pattern": "^3\\.1\\."}},
                        "required": ["openapi", "info", "paths", "components"],
                    }
                }
            },
        }
    },
    refusals=BY_GATEWAY,
)
