"""The routes of `functions/mcp`."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from yarrow.mcp_server.endpoint import refuse_method, take_message


async def _send_mcp_message(request: Request) -> Response:
    """Answer one JSON-RPC message (MCP-02)."""
    return await take_message(request)


async def _get_mcp(request: Request) -> Response:
    """Respond 405: there is no stream beside those of requests."""
    return refuse_method(request)


async def _delete_mcp(request: Request) -> Response:
    """Respond 405: there is no session to end."""
    return refuse_method(request)


ROUTES = (
    Route("/mcp", _send_mcp_message, methods=["POST"], name="send_mcp_message"),
    Route("/mcp", _get_mcp, methods=["GET"], name="get_mcp"),
    Route("/mcp", _delete_mcp, methods=["DELETE"], name="delete_mcp"),
)
