"""The OpenAPI description of `POST /mcp`."""

from typing import Final

from functions.openapi import BY_KEY, TO_ANY_CALLER, Document, Operation, ref, refused
from yarrow.mcp_server.endpoint import MAX_BODY_BYTES
from yarrow.protocol.problems import Code

_MESSAGE: Final[Document] = {
    "description": f"A JSON-RPC 2.0 request or notification of the Model Context Protocol, of at most {MAX_BODY_BYTES} "
    "bytes. Revision 2026-07-28, and those with `initialize` back to 2024-11-05.",
    "type": "object",
    "properties": {
        "jsonrpc": {"const": "2.0"},
        "id": {"type": ["string", "integer"]},
        "method": {"type": "string"},
        "params": {"type": "object"},
    },
    "required": ["jsonrpc", "method"],
}
_ANSWER: Final[Document] = {
    "type": "object",
    "properties": {"jsonrpc": {"const": "2.0"}, "result": {"type": "object"}, "error": {"type": "object"}},
    "required": ["jsonrpc"],
}
_MALFORMED: Final[Document] = {"status": {"const": 400}, "code": {"enum": [Code.REQUEST_INVALID.name]}}

OPERATION: Final = Operation(
    "post",
    "/mcp",
    operation_id="send_mcp_message",
    summary="Send a message to the MCP server",
    security=BY_KEY,
    description="Agents are tools, and the caller's sessions are resources. A call of an agent answers as "
    "server-sent events, everything else as JSON.",
    request_body={
        "required": True,
        "content": {
            "application/json": {
                "schema": _MESSAGE,
                "examples": {"ping": {"value": {"jsonrpc": "2.0", "id": 1, "method": "ping"}}},
            }
        },
    },
    responses={
        "200": {
            "description": "The JSON-RPC response.",
            "content": {
                "application/json": {"schema": _ANSWER},
                "text/event-stream": {"schema": {"type": "string"}},
            },
        },
        "202": {"description": "A notification was accepted."},
        "400": {
            "description": "The message cannot be read, or is refused as revision 2026-07-28 has it.\n"
            f"- `{Code.REQUEST_INVALID.name}`: {Code.REQUEST_INVALID.meaning}",
            "content": {
                "application/json": {"schema": _ANSWER},
                "application/problem+json": {"schema": ref("Problem") | {"properties": _MALFORMED}},
            },
        },
        "404": {
            "description": "Revision 2026-07-28 does not have the method.",
            "content": {"application/json": {"schema": _ANSWER}},
        },
    },
    refusals=(
        *TO_ANY_CALLER,
        *refused(Code.REQUEST_ORIGIN_FORBIDDEN, Code.AGENT_RATE_LIMIT, Code.REQUEST_CONTENT_TYPE_UNSUPPORTED),
        *refused(Code.REQUEST_ACCEPT_UNSUPPORTED),
    ),
)
