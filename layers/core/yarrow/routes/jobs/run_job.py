"""`POST /api/v1/automation/jobs/{jobId}/run`: run a job at once."""

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from yarrow.automation.run_job import run_job
from yarrow.web.app import caller
from yarrow.web.json_body import json_body


async def endpoint(request: Request) -> JSONResponse:
    """Respond 202 with TaskAcceptedResponse (RUN-19)."""
    body = await json_body(request)
    accepted = run_job(body, caller(request).user_id, request.path_params["jobId"])
    return JSONResponse(accepted.document(), status_code=202)


ROUTE = Route("/api/v1/automation/jobs/{jobId}/run", endpoint, methods=["POST"])
