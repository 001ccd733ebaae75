"""`GET /api/v1/automation/jobs/{jobId}`: read a job."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from yarrow.access import limits
from yarrow.automation.access import etag, shown
from yarrow.automation.get_job import get_job
from yarrow.web.app import caller


async def endpoint(request: Request) -> Response:
    """Respond 200 with the job and its ETag."""
    user_id = caller(request).user_id
    limits.count(user_id, "job_reads")
    job = get_job(user_id, request.path_params["jobId"])
    headers = {"ETag": etag(job), "Cache-Control": "no-store"}
    return Response(shown(job).model_dump_json(), media_type="application/json", headers=headers)


ROUTE = Route("/api/v1/automation/jobs/{jobId}", endpoint, methods=["GET"])
