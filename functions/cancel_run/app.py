"""`POST /api/v1/agent/runs/{threadId}/cancel?runId=`: cancel a run."""

from yarrow.web.cold_start import pause_garbage_collection, resume_garbage_collection

pause_garbage_collection()

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from yarrow.access import limits
from yarrow.runs.cancel_run import cancel_run
from yarrow.store.clients import at_start, dynamodb, step_functions
from yarrow.web.app import caller, create_app
from yarrow.web.lambda_http import buffered


async def endpoint(request: Request) -> JSONResponse:
    """Respond 200; `accepted` is false if the run had finished or failed (CAN-01, CAN-05)."""
    thread_id, run_id = request.path_params["threadId"], request.query_params.get("runId")
    user_id = caller(request).user_id
    limits.count(user_id, "cancels")
    run = cancel_run(user_id, thread_id, run_id)
    return JSONResponse({"threadId": run.thread_id, "runId": run.run_id, "accepted": run.phase == "canceled"})


at_start(dynamodb, step_functions)
app = create_app(Route("/api/v1/agent/runs/{threadId}/cancel", endpoint, methods=["POST"]))
handler = buffered(app)
resume_garbage_collection()
