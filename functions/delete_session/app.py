"""`DELETE /api/v1/agent/sessions/{threadId}`: delete a session."""

from yarrow.web.cold_start import pause_garbage_collection, resume_garbage_collection

pause_garbage_collection()

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from yarrow.access import limits
from yarrow.runs.delete_session import delete_session
from yarrow.store.clients import at_start, dynamodb, step_functions
from yarrow.web.app import caller, create_app
from yarrow.web.lambda_http import buffered


async def endpoint(request: Request) -> Response:
    """Respond 204, also for a missing session (SES-01, SES-02)."""
    user_id = caller(request).user_id
    limits.count(user_id, "session_deletions")
    delete_session(user_id, request.path_params["threadId"])
    return Response(status_code=204)


at_start(dynamodb, step_functions)
app = create_app(Route("/api/v1/agent/sessions/{threadId}", endpoint, methods=["DELETE"]))
handler = buffered(app)
resume_garbage_collection()
