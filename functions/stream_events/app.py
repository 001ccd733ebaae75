"""`GET /api/v1/agent/runs/{threadId}/events?runId=`: a run's events as they are stored."""

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.routing import Route

from yarrow.host.subscription import subscribe
from yarrow.web.app import caller, create_app
from yarrow.web.event_stream import EventStreamResponse
from yarrow.web.lambda_http import Streaming

MARGIN_SECONDS = 15
"""How long before the platform's limit a stream ends by itself; API Gateway and Lambda cut it at 15 minutes."""


async def endpoint(request: Request) -> EventStreamResponse:
    """The events after `Last-Event-ID`, from the first one without it (EVT-02 … EVT-06)."""
    subscription = await run_in_threadpool(
        subscribe,
        caller(request).user_id,
        request.path_params["threadId"],
        request.query_params.get("runId"),
        request.headers.get("last-event-id"),
        request.query_params.get("idle_limit"),
    )
    remaining = request.scope["aws.context"].get_remaining_time_in_millis() / 1000
    return EventStreamResponse(subscription, remaining - MARGIN_SECONDS)


app = create_app(Route("/api/v1/agent/runs/{threadId}/events", endpoint, methods=["GET"]))
handler = Streaming(app)
