"""The OpenAPI description of `GET /` and of the files of its page."""

from typing import Final

from functions.openapi import BY_GATEWAY, Document, Operation, refused
from yarrow.protocol.problems import Code

_REFUSALS: Final = (*BY_GATEWAY, *refused(Code.ROUTE_NOT_FOUND))
_HEADERS: Final[Document] = {
    "ETag": {"schema": {"type": "string"}},
    "Cache-Control": {"schema": {"type": "string"}},
}
_UNCHANGED: Final[Document] = {"description": "The client has it.", "headers": _HEADERS}

PAGE: Final = Operation(
    "get",
    "/",
    operation_id="serve_console",
    summary="The console, a page for people",
    description="404 where the deployment serves none.",
    security=[],
    responses={
        "200": {
            "description": "The page.",
            "headers": _HEADERS,
            "content": {"text/html": {"schema": {"type": "string"}}},
        },
        "304": _UNCHANGED,
    },
    refusals=_REFUSALS,
)

FILE: Final = Operation(
    "get",
    "/console/{path}",
    operation_id="serve_console_file",
    summary="A file of the console",
    description="A script, a style, a picture, or `config.json`. The page names them.",
    security=[],
    parameters=[
        {
            "name": "path",
            "in": "path",
            "required": True,
            "description": "The path of the file; it may have slashes.",
            "schema": {"type": "string", "examples": ["config.json"]},
        }
    ],
    responses={
        "200": {"description": "The file.", "headers": _HEADERS, "content": {"*/*": {"schema": {}}}},
        "304": _UNCHANGED,
    },
    refusals=_REFUSALS,
)
