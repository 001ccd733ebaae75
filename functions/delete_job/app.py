"""`DELETE /api/v1/automation/jobs/{jobId}`: delete a job."""

from yarrow.web.cold_start import pause_garbage_collection, resume_garbage_collection

pause_garbage_collection()

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from yarrow.automation.delete_job import delete_job
from yarrow.store.clients import at_start, dynamodb, scheduler
from yarrow.web.app import caller, create_app
from yarrow.web.lambda_http import buffered


async def endpoint(request: Request) -> Response:
    """204, also for a job that is deleted already."""
    delete_job(caller(request).user_id, request.path_params["jobId"], request.headers.get("if-match"))
    return Response(status_code=204)


at_start(dynamodb, scheduler)
app = create_app(Route("/api/v1/automation/jobs/{jobId}", endpoint, methods=["DELETE"]))
handler = buffered(app)
resume_garbage_collection()
