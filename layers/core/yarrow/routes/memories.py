"""The routes of `functions/memories`."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from yarrow.access import limits
from yarrow.runs.memories import delete_memory, list_memories
from yarrow.web.app import caller
from yarrow.web.json_body import NO_STORE, BodyResponse


async def _list_memories(request: Request) -> Response:
    """Respond 200 with a page of the caller's memories."""
    query, user_id = request.query_params, caller(request).user_id
    limits.count(user_id, "memory_reads")
    return BodyResponse(list_memories(user_id, query.get("limit"), query.get("after")), headers=NO_STORE)


async def _delete_memory(request: Request) -> Response:
    """Respond 204, also for a missing memory, or another user's."""
    user_id = caller(request).user_id
    limits.count(user_id, "memory_deletions")
    delete_memory(user_id, request.path_params["memoryId"])
    return Response(status_code=204)


ROUTES = (
    Route("/api/v1/memories", _list_memories, methods=["GET"], name="list_memories"),
    Route("/api/v1/memories/{memoryId}", _delete_memory, methods=["DELETE"], name="delete_memory"),
)
