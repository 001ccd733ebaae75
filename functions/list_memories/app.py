"""`GET /api/v1/memories`: list what the assistant remembers of the caller."""

from yarrow.web.cold_start import pause_garbage_collection, resume_garbage_collection

pause_garbage_collection()

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from yarrow.access import limits
from yarrow.runs.list_memories import list_memories
from yarrow.store.clients import at_start, dynamodb
from yarrow.web.app import caller, create_app
from yarrow.web.lambda_http import buffered


async def endpoint(request: Request) -> Response:
    """A page of the caller's own."""
    query, user_id = request.query_params, caller(request).user_id
    limits.count_request(user_id, "memory_reads")
    page = list_memories(user_id, query.get("limit"), query.get("after"))
    return Response(page.model_dump_json(), media_type="application/json", headers={"Cache-Control": "no-store"})


at_start(dynamodb)
app = create_app(Route("/api/v1/memories", endpoint, methods=["GET"]))
handler = buffered(app)
resume_garbage_collection()
