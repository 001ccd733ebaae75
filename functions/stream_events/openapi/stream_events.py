"""The OpenAPI description of `GET /api/v1/agent/runs/{threadId}/events`."""

from typing import Final

from functions.openapi import (
    AGUI_FRAME,
    BY_KEY,
    PROTOCOL_VERSION,
    RUN,
    RUN_ID,
    THREAD,
    THREAD_ID,
    TIMES,
    TO_ANY_CALLER,
    WAIT,
    WITHOUT_RUN,
    Operation,
    ref,
    refused,
)
from yarrow.protocol.events import events, sse
from yarrow.protocol.problems import Code
from yarrow.runs.stream_events import DEFAULT_IDLE_SECONDS, MAX_IDLE_SECONDS
from yarrow.web.streams.stream_formats import PROFILES


def _sample_stream() -> str:
    ids = events.RunIds(thread_id=THREAD, run_id=RUN)
    sample = (
        events.RunStarted(**ids),
        events.TextMessageStart(**ids, message_id="m-1"),
        events.TextMessageContent(**ids, message_id="m-1", delta="Good evening."),
    )
    frames = [sse.frame(number, events.encode(event)) for number, event in enumerate(sample, start=1)]
    return b"".join([*frames, sse.KEEP_ALIVE]).decode()


OPERATION: Final = Operation(
    "get",
    "/api/v1/agent/runs/{threadId}/events",
    operation_id="stream_events",
    summary="Stream a run's events",
    security=BY_KEY,
    description="The run's events in order, from the first or after `Last-Event-ID`. Works for active and ended runs.",
    parameters=[
        THREAD_ID,
        RUN_ID,
        {
            "name": "idle_limit",
            "in": "query",
            "description": "Seconds without an event after which the stream ends.",
            "schema": {"type": "integer", "minimum": 1, "maximum": MAX_IDLE_SECONDS, "default": DEFAULT_IDLE_SECONDS},
        },
        {
            "name": "profile",
            "in": "query",
            "description": "`native`: as without it, and TEXT_MESSAGE_END has the message's card as `ui_schema`, if "
            "it has one. The others are in AG-UI format. `agui`: the same events and cursors. `snapshot`: begins with "
            "RUN_STARTED and a MESSAGES_SNAPSHOT of the run so far, whatever the cursor, and always ends with "
            "RUN_FINISHED or RUN_ERROR.",
            "schema": {"enum": list(PROFILES)},
        },
        PROTOCOL_VERSION,
        TIMES,
        WAIT,
        {
            "name": "Last-Event-ID",
            "in": "header",
            "description": "The `id` of the last frame received; `0` or empty starts from the beginning.",
            "schema": {"type": "string", "pattern": f"^({sse.CURSOR.pattern})?$"},
        },
    ],
    responses={
        "200": {
            "description": "Server-sent events. The schema describes one frame: lines `id`, `event` and `data`, each "
            "ended by LF, and an empty line. While the run is idle, a keep-alive comment is sent at least every 15 "
            "seconds. The stream ends after RUN_FINISHED or RUN_ERROR; if it ends earlier, it ends with `retry` and "
            f"the client reconnects with `Last-Event-ID`.\n\n```\n{_sample_stream()}```",
            "content": {"text/event-stream": {"schema": {"anyOf": [ref("Frame"), AGUI_FRAME]}}},
        },
        "204": {"description": "The run ended with the event of `Last-Event-ID`. EventSource stops reconnecting."},
    },
    refusals=(
        *TO_ANY_CALLER,
        *WITHOUT_RUN,
        *refused(Code.AGENT_INVALID_LAST_EVENT_ID, Code.AGENT_EVENTS_QUERY_INVALID),
        *refused(Code.AGENT_RATE_LIMIT),
        *refused(Code.AGENT_RUN_EVENTS_EXPIRED, Code.AGENT_SSE_CONNECTION_LIMIT),
    ),
)
