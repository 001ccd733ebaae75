"""`GET /api/v1/agent/runs/{threadId}/events?runId=`: a run's events, as stored or for AG-UI clients."""

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.routing import Route

from yarrow.host.subscription import subscribe
from yarrow.web.app import caller, create_app
from yarrow.web.event_stream import EventStreamResponse, window
from yarrow.web.lambda_http import Streaming
from yarrow.web.stream_forms import joining


async def endpoint(request: Request) -> EventStreamResponse:
    """The events after `Last-Event-ID`, from the first one without it (EVT-02 … EVT-06), in the form of `profile`."""
    join = joining(request.query_params.get("profile"))
    subscription = await run_in_threadpool(
        subscribe,
        caller(request).user_id,
        request.path_params["threadId"],
        request.query_params.get("runId"),
        request.headers.get("last-event-id"),
        request.query_params.get("idle_limit"),
    )
    joined, form = await run_in_threadpool(join, subscription)
    return EventStreamResponse(joined, window(request), form)


app = create_app(Route("/api/v1/agent/runs/{threadId}/events", endpoint, methods=["GET"]))
handler = Streaming(app)
