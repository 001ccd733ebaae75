"""`POST /api/v1/agent/runs`: submit a run."""

from yarrow.web.cold_start import pause_garbage_collection, resume_garbage_collection

pause_garbage_collection()

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from yarrow.agents.bindings import check_default
from yarrow.protocol import trace_context
from yarrow.protocol.caller import Caller
from yarrow.runs.submit_run import TaskAccepted, submit_run
from yarrow.settings import settings
from yarrow.store.clients import at_start, dynamodb, step_functions
from yarrow.web.app import caller, create_app
from yarrow.web.json_body import json_body
from yarrow.web.lambda_http import buffered

check_default(settings.default_agent)


async def endpoint(request: Request) -> JSONResponse:
    """Respond 202 with TaskAcceptedResponse (RUN-19, RUN-20); with `resume`, of the run that goes on (ASK-02)."""
    body, user = await json_body(request), caller(request)
    agent, trace_parent = request.query_params.get("agent"), request.headers.get(trace_context.HEADER)
    accepted = _resumed(body, user, trace_parent) or submit_run(body, user, agent, trace_parent=trace_parent)
    return JSONResponse(accepted.document(), status_code=202)


def _resumed(body: bytes, user: Caller, trace_parent: str | None) -> TaskAccepted | None:
    if b'"resume"' not in body:
        return None
    from yarrow.runs.answer_questions import resume_run  # few requests answer questions

    return resume_run(body, user, trace_parent=trace_parent)


at_start(dynamodb, step_functions)
app = create_app(Route("/api/v1/agent/runs", endpoint, methods=["POST"]))
handler = buffered(app)
resume_garbage_collection()
