"""`POST /api/v1/automation/jobs`: create a job."""

from yarrow.web.cold_start import pause_garbage_collection, resume_garbage_collection

pause_garbage_collection()

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from yarrow.automation.access import etag, shown
from yarrow.automation.create_job import create_job
from yarrow.store.clients import at_start, dynamodb, scheduler
from yarrow.web.app import caller, create_app
from yarrow.web.json_body import json_body
from yarrow.web.lambda_http import buffered


async def endpoint(request: Request) -> Response:
    """201 with the job (AUT-02)."""
    body = await json_body(request)
    job = create_job(body, caller(request))
    headers = {"ETag": etag(job), "Cache-Control": "no-store"}
    return Response(shown(job).model_dump_json(), status_code=201, media_type="application/json", headers=headers)


at_start(dynamodb, scheduler)
app = create_app(Route("/api/v1/automation/jobs", endpoint, methods=["POST"]))
handler = buffered(app)
resume_garbage_collection()
