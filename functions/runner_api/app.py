"""`POST /internal/runs/{runKey}/actions/{action}`: the actions of remote runners.

IAM authorises the role, the run's token the run. It streams, as actions may take more than a buffered 29 seconds.
"""

from yarrow.web.cold_start import pause_garbage_collection, resume_garbage_collection

pause_garbage_collection()

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from yarrow.formats import json_text
from yarrow.protocol.runner.api import AgentAPIException
from yarrow.protocol.runner.callback import OCCURRENCE_HEADER, TOKEN_HEADER
from yarrow.services.api import audit
from yarrow.services.api.actions import STREAMS
from yarrow.services.remote_calls import api_of
from yarrow.store.clients import at_start, dynamodb
from yarrow.web.agent_api import LinesResponse, begin, occurrence_of, on_api_exception
from yarrow.web.app import create_app
from yarrow.web.lambda_http import Streaming


async def endpoint(request: Request) -> Response:
    """Respond with the action's document, or with a line for each (RNR-50, RNR-51)."""
    run_key, action = request.path_params["runKey"], request.path_params["action"]
    with audit.refusal_recorded(run_key, audit.UNKNOWN, action):
        api = await api_of(run_key, request.headers.get(TOKEN_HEADER, ""))
        arguments = _arguments(await request.body())
        occurrence = occurrence_of(request.headers.get(OCCURRENCE_HEADER))
    if action in STREAMS:
        return LinesResponse(await begin(api.stream(action, arguments, occurrence)))
    return JSONResponse(await api.call(action, arguments, occurrence))


def _arguments(body: bytes) -> dict[str, object]:
    try:
        arguments = json_text.loads(body)
    except ValueError:
        arguments = None
    if not isinstance(arguments, dict):
        raise AgentAPIException("invalid_argument", "the body must be a JSON object")
    return arguments


at_start(dynamodb)
app = create_app(Route("/internal/runs/{runKey}/actions/{action}", endpoint, methods=["POST"]))
app.add_exception_handler(AgentAPIException, on_api_exception)
handler = Streaming(app)
resume_garbage_collection()
