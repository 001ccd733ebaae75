"""`DELETE /api/v1/automation/jobs/{jobId}`: delete a job."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from yarrow.automation.delete_job import delete_job
from yarrow.web.app import caller


async def endpoint(request: Request) -> Response:
    """Respond 204, also for a job that is deleted already."""
    delete_job(caller(request).user_id, request.path_params["jobId"], request.headers.get("if-match"))
    return Response(status_code=204)


ROUTE = Route("/api/v1/automation/jobs/{jobId}", endpoint, methods=["DELETE"])
