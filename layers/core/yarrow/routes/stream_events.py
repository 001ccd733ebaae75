"""The routes of `functions/stream_events`: a run's events, in two protocols, its steps and its diagnostics."""

import anyio.to_thread
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from yarrow.protocol.events import durable_stream
from yarrow.runs import read_stream
from yarrow.runs.stream_events import stream_events
from yarrow.settings import settings
from yarrow.web.app import caller
from yarrow.web.json_body import NO_STORE, BodyResponse
from yarrow.web.streams import durable_stream as responses
from yarrow.web.streams.event_stream import in_thread, open_stream, read_times, read_wait, resume_stream, window
from yarrow.web.streams.stream_formats import FormattedSubscription, formatter

_RUN = "/api/v1/agent/runs/{threadId}"


async def _stream_events(request: Request) -> Response:
    """Stream events after `Last-Event-ID`, or all (EVT-02 … EVT-06), in the format `profile`; 204 after the last."""
    query = request.query_params
    formatted = formatter(query.get("profile"), query.get("protocolVersion"))
    wait, times = read_wait(query.get("wait")), read_times(query.get("times"))
    run, cursor = _named_run(request), request.headers.get("last-event-id")

    def opened() -> FormattedSubscription:
        return formatted(stream_events(*run, cursor, query.get("idle_limit")))

    return await resume_stream(opened, window(request), wait=wait, times=times)


async def _read_stream(request: Request) -> Response:
    """Respond with what is stored after `offset` and, with `live`, with what follows; to HEAD, with where it ends."""
    values = request.query_params
    query = durable_stream.read_query({name: values.getlist(name) for name in values})
    run = _named_run(request)
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


async def _list_steps(request: Request) -> Response:
    """Respond 200 with the steps, without the contents of calls and results (STP-07)."""
    from yarrow.runs.list_steps import list_steps  # not at a stream's cold start

    return BodyResponse(await anyio.to_thread.run_sync(list_steps, *_named_run(request)), headers=NO_STORE)


async def _diagnose_run(request: Request) -> Response:
    """Respond 200 with what the run's author is told (STP-08, STP-10)."""
    from yarrow.runs.diagnose_run import diagnose_run  # not at a stream's cold start

    _, thread_id, run_id = _named_run(request)
    step = request.query_params.get("step")
    found = await anyio.to_thread.run_sync(diagnose_run, caller(request), thread_id, run_id, step)
    return BodyResponse(found, headers=NO_STORE)


def _named_run(request: Request) -> tuple[str, str, str | None]:
    """Return the caller, the thread and the runId."""
    return caller(request).user_id, request.path_params["threadId"], request.query_params.get("runId")


ROUTES = (
    Route(f"{_RUN}/events", _stream_events, methods=["GET"], name="stream_events"),
    Route(f"{_RUN}/stream", _read_stream, methods=["GET"], name="read_stream"),
    Route(f"{_RUN}/steps", _list_steps, methods=["GET"], name="list_steps"),
    Route(f"{_RUN}/diagnostics", _diagnose_run, methods=["GET"], name="diagnose_run"),
)
