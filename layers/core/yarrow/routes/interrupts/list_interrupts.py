"""`GET /api/v1/agent/interrupts`: list the open questions of the caller's runs."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from yarrow.access import limits
from yarrow.protocol.response_body import to_json
from yarrow.runs.list_interrupts import list_interrupts
from yarrow.web.app import caller


async def endpoint(request: Request) -> Response:
    """Respond 200 with a page of questions, newest first (ASK-04)."""
    query, user_id = request.query_params, caller(request).user_id
    limits.count(user_id, "interrupt_reads")
    page = list_interrupts(user_id, query.get("limit"), query.get("after"))
    return Response(to_json(page), media_type="application/json", headers={"Cache-Control": "no-store"})


ROUTE = Route("/api/v1/agent/interrupts", endpoint, methods=["GET"])
