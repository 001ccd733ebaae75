"""The routes of `functions/interrupts`."""

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from yarrow.access import limits
from yarrow.protocol import trace_context
from yarrow.protocol.interrupts import read_answer_body
from yarrow.runs.answer_questions import answer_question
from yarrow.runs.list_interrupts import list_interrupts
from yarrow.web.app import caller
from yarrow.web.json_body import NO_STORE, BodyResponse, json_body


async def _list_interrupts(request: Request) -> Response:
    """Respond 200 with a page of questions, newest first (ASK-04)."""
    query, user_id = request.query_params, caller(request).user_id
    limits.count(user_id, "interrupt_reads")
    return BodyResponse(list_interrupts(user_id, query.get("limit"), query.get("after")), headers=NO_STORE)


async def _answer_interrupt(request: Request) -> JSONResponse:
    """Respond 202 with TaskAcceptedResponse of the run that goes on (ASK-04)."""
    entry = read_answer_body(request.path_params["interruptId"], await json_body(request))
    accepted = answer_question(caller(request), entry, trace_parent=request.headers.get(trace_context.HEADER))
    return JSONResponse(accepted.document(), status_code=202)


ROUTES = (
    Route("/api/v1/agent/interrupts", _list_interrupts, methods=["GET"], name="list_interrupts"),
    Route("/api/v1/agent/interrupts/{interruptId}", _answer_interrupt, methods=["POST"], name="answer_interrupt"),
)
