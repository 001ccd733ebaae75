"""Lets tests read and move the scheduler's clock, on the internal port only."""

from dataclasses import asdict
from datetime import UTC

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from local.scheduler.scheduler import Scheduler, TooFarError
from yarrow.formats.rfc3339 import parse_rfc3339


def clock_route(scheduler: Scheduler) -> Route:
    """Return the route of `GET /scheduler/clock`, and `PUT` with `{"now": "2026-11-01T05:30:00Z"}`.

    The response to PUT lists the firings, after they are delivered.
    """

    async def clock(request: Request) -> Response:
        fired = []
        if request.method == "PUT":
            try:
                to = parse_rfc3339((await request.json())["now"]).astimezone(UTC)
                fired = [asdict(firing) for firing in await scheduler.move(to)]
            except (KeyError, TypeError, ValueError, OverflowError, TooFarError) as error:
                return JSONResponse({"message": str(error)}, 422)
        return JSONResponse({"now": scheduler.now.isoformat(), "fired": fired})

    return Route("/scheduler/clock", clock, methods=["GET", "PUT"])
