"""The route of `functions/usage`."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from yarrow.access import limits
from yarrow.runs.get_usage import get_usage
from yarrow.web.app import caller
from yarrow.web.json_body import NO_STORE, BodyResponse


async def _get_usage(request: Request) -> Response:
    """Respond 200 with a page of sums (EVB-05)."""
    user = caller(request)
    limits.count(user.user_id, "usage_reads")
    return BodyResponse(get_usage(user, request.query_params), headers=NO_STORE)


ROUTES = (Route("/api/v1/usage", _get_usage, methods=["GET"], name="get_usage"),)
