"""`DELETE /api/v1/memories/{memoryId}`: delete what the assistant remembers."""

from yarrow.web.cold_start import pause_garbage_collection, resume_garbage_collection

pause_garbage_collection()

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from yarrow.access import limits
from yarrow.runs.delete_memory import delete_memory
from yarrow.store.clients import at_start, dynamodb
from yarrow.web.app import caller, create_app
from yarrow.web.lambda_http import buffered


async def endpoint(request: Request) -> Response:
    """204, also for a missing memory, or another user's."""
    user_id = caller(request).user_id
    limits.count_request(user_id, "memory_deletions")
    delete_memory(user_id, request.path_params["memoryId"])
    return Response(status_code=204)


at_start(dynamodb)
app = create_app(Route("/api/v1/memories/{memoryId}", endpoint, methods=["DELETE"]))
handler = buffered(app)
resume_garbage_collection()
