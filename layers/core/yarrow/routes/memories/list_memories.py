"""`GET /api/v1/memories`: list what the assistant remembers of the caller."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from yarrow.access import limits
from yarrow.protocol.response_body import to_json
from yarrow.runs.list_memories import list_memories
from yarrow.web.app import caller


async def endpoint(request: Request) -> Response:
    """Respond 200 with a page of the caller's memories."""
    query, user_id = request.query_params, caller(request).user_id
    limits.count(user_id, "memory_reads")
    page = list_memories(user_id, query.get("limit"), query.get("after"))
    return Response(to_json(page), media_type="application/json", headers={"Cache-Control": "no-store"})


ROUTE = Route("/api/v1/memories", endpoint, methods=["GET"])
