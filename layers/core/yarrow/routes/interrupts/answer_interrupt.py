"""`POST /api/v1/agent/interrupts/{interruptId}`: answer or cancel a question."""

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from yarrow.protocol.interrupts import read_answer_body
from yarrow.runs.answer_questions import answer_question
from yarrow.web.app import caller
from yarrow.web.json_body import json_body


async def endpoint(request: Request) -> JSONResponse:
    """Respond 202 with TaskAcceptedResponse of the run that goes on (ASK-04)."""
    entry = read_answer_body(request.path_params["interruptId"], await json_body(request))
    return JSONResponse(answer_question(caller(request), entry).document(), status_code=202)


ROUTE = Route("/api/v1/agent/interrupts/{interruptId}", endpoint, methods=["POST"])
