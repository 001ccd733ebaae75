"""The routes of `functions/submit_run`: a run is submitted, repeated from a step on, or given a message."""

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from yarrow.access import limits
from yarrow.protocol import trace_context
from yarrow.protocol.caller import Caller
from yarrow.runs.submit_run import TaskAccepted, submit_run
from yarrow.web.app import caller
from yarrow.web.json_body import BodyResponse, json_body


async def _submit_run(request: Request) -> JSONResponse:
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


async def _fork_run(request: Request) -> JSONResponse:
    """Respond 202 with TaskAcceptedResponse of the run that repeats another one from a step on (STP-09)."""
    from yarrow.protocol.fork_request import read_fork_request  # few requests fork a run
    from yarrow.runs.fork_run import fork_run

    user = caller(request)
    limits.count(user.user_id, "forks")  # whatever is refused has read the steps of a run
    wanted = read_fork_request(await json_body(request))
    thread_id, run_id = request.path_params["threadId"], request.query_params.get("runId")
    trace_parent = request.headers.get(trace_context.HEADER)
    accepted = fork_run(user, thread_id, run_id, wanted, trace_parent=trace_parent)
    return JSONResponse(accepted.document(), status_code=202)


async def _steer_run(request: Request) -> BodyResponse:
    """Respond 202 with the place of a message that the user adds to a run which goes on (RNR-87)."""
    from yarrow.protocol.run_message import read_run_message  # few requests add a message
    from yarrow.runs.steer_run import steer_run

    message = read_run_message(await json_body(request))
    thread_id, run_id = request.path_params["threadId"], request.query_params.get("runId")
    return BodyResponse(steer_run(caller(request).user_id, thread_id, run_id, message), status_code=202)


ROUTES = (
    Route("/api/v1/agent/runs", _submit_run, methods=["POST"], name="submit_run"),
    Route("/api/v1/agent/runs/{threadId}/fork", _fork_run, methods=["POST"], name="fork_run"),
    Route("/api/v1/agent/runs/{threadId}/messages", _steer_run, methods=["POST"], name="steer_run"),
)
