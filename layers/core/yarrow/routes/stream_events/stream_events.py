"""`GET /api/v1/agent/runs/{threadId}/events?runId=`: a run's events, as stored or for AG-UI clients."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from yarrow.runs.stream_events import stream_events
from yarrow.web.app import caller
from yarrow.web.streams.event_stream import read_wait, resume_stream, window
from yarrow.web.streams.stream_formats import FormattedSubscription, formatter


async def endpoint(request: Request) -> Response:
    """Stream events after `Last-Event-ID`, or all (EVT-02 … EVT-06), in the format `profile`; 204 after the last."""
    formatted = formatter(request.query_params.get("profile"))
    query = request.query_params
    wait = read_wait(query.get("wait"))
    user_id, cursor = caller(request).user_id, request.headers.get("last-event-id")

    def opened() -> FormattedSubscription:
        run = request.path_params["threadId"], query.get("runId")
        return formatted(stream_events(user_id, *run, cursor, query.get("idle_limit")))

    return await resume_stream(opened, window(request), wait=wait)


ROUTE = Route("/api/v1/agent/runs/{threadId}/events", endpoint, methods=["GET"])
