"""`GET /api/v1/agent/runs/{threadId}/stream?runId=`: a run's events as a Durable Stream; `HEAD`: where they end."""

import anyio.to_thread
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from yarrow.protocol.events import durable_stream
from yarrow.runs import read_stream
from yarrow.settings import settings
from yarrow.web.app import caller
from yarrow.web.streams import durable_stream as responses
from yarrow.web.streams.event_stream import in_thread, open_stream, window
from yarrow.web.streams.stream_formats import FormattedSubscription


async def endpoint(request: Request) -> Response:
    """Respond with what is stored after `offset` and, with `live`, with what follows."""
    values = request.query_params
    query = durable_stream.read_query({name: values.getlist(name) for name in values})
    run = caller(request).user_id, request.path_params["threadId"], values.get("runId")
    if request.method == "HEAD":
        return responses.end_of(await anyio.to_thread.run_sync(read_stream.read_end, *run))
    if query.live is None:
        chunk = await anyio.to_thread.run_sync(read_stream.read_chunk, *run, query.place)
        if query.place == durable_stream.NOW:
            return responses.newest(chunk)
        return responses.catch_up(chunk, request.headers.get("if-none-match"))

    def subscribed() -> FormattedSubscription:
        return read_stream.subscribe(*run, query.place), responses.sse_format(query.cursor)

    if query.live == "sse":
        return await open_stream(subscribed, window(request))
    subscription, _ = await in_thread(subscribed)
    return await responses.long_poll(subscription, query.cursor, min(settings.long_poll_seconds, window(request)))


ROUTE = Route("/api/v1/agent/runs/{threadId}/stream", endpoint, methods=["GET"])
