"""The routes of `functions/mcp`."""

from typing import Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from yarrow.mcp_server import oauth_metadata
from yarrow.mcp_server.endpoint import refuse_method, take_message

_FOR_AN_HOUR: Final = {"Cache-Control": "public, max-age=3600"}


async def _send_mcp_message(request: Request) -> Response:
    """Answer one JSON-RPC message (MCP-02)."""
    return await take_message(request)


async def _get_mcp(request: Request) -> Response:
    """Respond 405: there is no stream beside those of requests."""
    return refuse_method(request)


async def _delete_mcp(request: Request) -> Response:
    """Respond 405: there is no session to end."""
    return refuse_method(request)


async def _describe_mcp_resource(request: Request) -> Response:
    """Respond 200 with the metadata of a protected resource (RFC 9728)."""
    return JSONResponse(oauth_metadata.metadata(request), headers=_FOR_AN_HOUR)


ROUTES = (
    Route("/mcp", _send_mcp_message, methods=["POST"], name="send_mcp_message"),
    Route("/mcp", _get_mcp, methods=["GET"], name="get_mcp"),
    Route("/mcp", _delete_mcp, methods=["DELETE"], name="delete_mcp"),
    Route(oauth_metadata.PATH, _describe_mcp_resource, methods=["GET"], name="describe_mcp_resource"),
)
