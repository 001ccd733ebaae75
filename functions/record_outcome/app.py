"""`POST /api/v1/agent/sessions/{threadId}/outcome`: record how the reading of a session turned out."""

from yarrow.web.cold_start import pause_garbage_collection, resume_garbage_collection

pause_garbage_collection()

from starlette.requests import Request
from starlette.routing import Route

from yarrow.access import limits
from yarrow.protocol.outcome_request import read_outcome_request
from yarrow.runs.record_outcome import record_outcome
from yarrow.store.clients import at_start, dynamodb
from yarrow.web.app import caller, create_app
from yarrow.web.json_body import NO_STORE, BodyResponse, json_body
from yarrow.web.lambda_http import buffered


async def endpoint(request: Request) -> BodyResponse:
    user_id = caller(request).user_id
    limits.count(user_id, "outcomes")
    outcome_request = read_outcome_request(await json_body(request))
    outcome = record_outcome(user_id, request.path_params["threadId"], outcome_request)
    return BodyResponse(outcome, headers=NO_STORE)


at_start(dynamodb)
app = create_app(Route("/api/v1/agent/sessions/{threadId}/outcome", endpoint, methods=["POST"]))
handler = buffered(app)
resume_garbage_collection()
