"""`POST /send-message`: submit an AG-UI client's run and stream its events."""

from yarrow.web.cold_start import pause_garbage_collection, resume_garbage_collection

pause_garbage_collection()

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from yarrow.agents.bindings import check_default
from yarrow.protocol import trace_context
from yarrow.protocol.problems import Problem
from yarrow.runs.send_message import send_message
from yarrow.settings import settings
from yarrow.store.clients import at_start, dynamodb, step_functions
from yarrow.web.app import caller, create_app
from yarrow.web.json_body import json_body
from yarrow.web.lambda_http import Streaming
from yarrow.web.streams.event_stream import open_stream, read_times, read_wait, refusal, window
from yarrow.web.streams.stream_formats import FormattedSubscription, agui_format

check_default(settings.default_agent)


async def endpoint(request: Request) -> Response:
    """Respond with server-sent events, whatever `Accept` says: AG-UI's binary form is not supported (EVT-01)."""
    body = await json_body(request)
    wait, times = read_wait(request.query_params.get("wait")), read_times(request.query_params.get("times"))
    user, agent = caller(request), request.query_params.get("agent")
    trace_parent = request.headers.get(trace_context.HEADER)

    def opened() -> FormattedSubscription:
        stream = send_message(body, user, agent, trace_parent=trace_parent)
        return stream.subscription, agui_format(stream.profile, stream.snapshot_event)

    try:
        return await open_stream(opened, window(request), wait=wait, times=times)
    except Problem as problem:
        if not problem.code.name.startswith("AGENT_INTERRUPT_"):
            raise
        return refusal(problem, body)


at_start(dynamodb, step_functions)
app = create_app(Route("/send-message", endpoint, methods=["POST"]))
handler = Streaming(app)
resume_garbage_collection()
