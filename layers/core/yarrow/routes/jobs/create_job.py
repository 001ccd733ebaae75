"""`POST /api/v1/automation/jobs`: create a job."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from yarrow.automation.access import etag, shown
from yarrow.automation.create_job import create_job
from yarrow.web.app import caller
from yarrow.web.json_body import json_body


async def endpoint(request: Request) -> Response:
    """Respond 201 with the job (AUT-02)."""
    body = await json_body(request)
    job = create_job(body, caller(request))
    headers = {"ETag": etag(job), "Cache-Control": "no-store"}
    return Response(shown(job).model_dump_json(), status_code=201, media_type="application/json", headers=headers)


ROUTE = Route("/api/v1/automation/jobs", endpoint, methods=["POST"])
