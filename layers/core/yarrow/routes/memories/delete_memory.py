"""`DELETE /api/v1/memories/{memoryId}`: delete what the assistant remembers."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from yarrow.access import limits
from yarrow.runs.delete_memory import delete_memory
from yarrow.web.app import caller


async def endpoint(request: Request) -> Response:
    """Respond 204, also for a missing memory, or another user's."""
    user_id = caller(request).user_id
    limits.count(user_id, "memory_deletions")
    delete_memory(user_id, request.path_params["memoryId"])
    return Response(status_code=204)


ROUTE = Route("/api/v1/memories/{memoryId}", endpoint, methods=["DELETE"])
