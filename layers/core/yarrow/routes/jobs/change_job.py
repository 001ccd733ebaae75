"""`PATCH /api/v1/automation/jobs/{jobId}`: change, pause or resume a job."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from yarrow.automation.access import etag, shown
from yarrow.automation.change_job import change_job
from yarrow.web.app import caller
from yarrow.web.json_body import json_body


async def endpoint(request: Request) -> Response:
    """Respond 200 with the changed job."""
    body, job_id = await json_body(request), request.path_params["jobId"]
    if_match = request.headers.get("if-match")
    job = change_job(body, caller(request).user_id, job_id, if_match)
    headers = {"ETag": etag(job), "Cache-Control": "no-store"}
    return Response(shown(job).model_dump_json(), media_type="application/json", headers=headers)


ROUTE = Route("/api/v1/automation/jobs/{jobId}", endpoint, methods=["PATCH"])
