"""`POST /api/v1/automation/jobs/{jobId}/run`: run a job at once."""

from yarrow.web.cold_start import pause_garbage_collection, resume_garbage_collection

pause_garbage_collection()

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from yarrow.automation.run_job import run_job
from yarrow.store.clients import at_start, dynamodb, step_functions
from yarrow.web.app import caller, create_app
from yarrow.web.json_body import json_body
from yarrow.web.lambda_http import buffered


async def endpoint(request: Request) -> JSONResponse:
    """202 with TaskAcceptedResponse (RUN-19)."""
    body = await json_body(request)
    accepted = run_job(body, caller(request).user_id, request.path_params["jobId"])
    return JSONResponse(accepted.document(), status_code=202)


at_start(dynamodb, step_functions)
app = create_app(Route("/api/v1/automation/jobs/{jobId}/run", endpoint, methods=["POST"]))
handler = buffered(app)
resume_garbage_collection()
