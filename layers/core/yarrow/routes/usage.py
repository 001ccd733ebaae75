"""The routes of `functions/usage`."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from yarrow.access import limits
from yarrow.runs.get_operations import get_ended_runs, get_users_of_day
from yarrow.runs.get_usage import get_usage
from yarrow.web.app import caller
from yarrow.web.json_body import NO_STORE, BodyResponse


async def _get_usage(request: Request) -> Response:
    """Respond 200 with a page of sums (EVB-05)."""
    user = caller(request)
    limits.count(user.user_id, "usage_reads")
    return BodyResponse(get_usage(user, request.query_params), headers=NO_STORE)


async def _get_ended_runs(request: Request) -> Response:
    """Respond 200 with the sums of runs that ended (EVB-12)."""
    operator = caller(request)
    limits.count(operator.user_id, "usage_reads")
    return BodyResponse(get_ended_runs(operator, request.query_params), headers=NO_STORE)


async def _get_users_of_day(request: Request) -> Response:
    """Respond 200 with a page of what users used on a day (EVB-12)."""
    operator = caller(request)
    limits.count(operator.user_id, "usage_reads")
    return BodyResponse(get_users_of_day(operator, request.query_params), headers=NO_STORE)


ROUTES = (
    Route("/api/v1/usage", _get_usage, methods=["GET"], name="get_usage"),
    Route("/api/v1/operations/runs", _get_ended_runs, methods=["GET"], name="get_ended_runs"),
    Route("/api/v1/operations/users", _get_users_of_day, methods=["GET"], name="get_users_of_day"),
)
