"""The routes of `functions/mcp_connections`."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from yarrow.mcp_oauth import sign_in
from yarrow.web.app import caller
from yarrow.web.json_body import NO_STORE, BodyResponse, json_body


async def _begin_mcp_sign_in(request: Request) -> Response:
    """Respond 201 with where the caller signs in."""
    begun = await sign_in.begin_sign_in(await json_body(request), caller(request).user_id)
    return BodyResponse(begun, 201, NO_STORE)


async def _finish_mcp_sign_in(request: Request) -> Response:
    """Respond 200 with the connection."""
    connection = await sign_in.finish_sign_in(await json_body(request), caller(request).user_id)
    return BodyResponse(connection, headers=NO_STORE)


async def _list_mcp_connections(request: Request) -> Response:
    """Respond 200 with the caller's connections, and what they can connect to."""
    return BodyResponse(sign_in.list_connections(caller(request).user_id), headers=NO_STORE)


async def _remove_mcp_connection(request: Request) -> Response:
    """Respond 204, also for a missing connection, or another user's."""
    await sign_in.remove_connection(caller(request).user_id, request.path_params["connectionId"])
    return Response(status_code=204)


_ALL = "/api/v1/mcp-connections"

ROUTES = (
    Route(_ALL, _begin_mcp_sign_in, methods=["POST"], name="begin_mcp_sign_in"),
    Route(f"{_ALL}/finish", _finish_mcp_sign_in, methods=["POST"], name="finish_mcp_sign_in"),
    Route(_ALL, _list_mcp_connections, methods=["GET"], name="list_mcp_connections"),
    Route(f"{_ALL}/{{connectionId}}", _remove_mcp_connection, methods=["DELETE"], name="remove_mcp_connection"),
)
