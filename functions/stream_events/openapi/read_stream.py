"""The OpenAPI description of `GET` and `HEAD /api/v1/agent/runs/{threadId}/stream`."""

from typing import Final

from functions.openapi import BY_KEY, RUN_ID, THREAD_ID, TO_ANY_CALLER, WITHOUT_RUN, Document, Operation, ref, refused
from yarrow.protocol.events import durable_stream
from yarrow.protocol.problems import Code

_OFFSET_HEADER: Final[Document] = {
    "description": "Where to read next.",
    "required": True,
    "schema": {"type": "string", "pattern": durable_stream.OFFSET_PATTERN},
}
_TRUE: Final[Document] = {"schema": {"const": "true"}}
_PLACE: Final[Document] = {
    durable_stream.NEXT_OFFSET: _OFFSET_HEADER,
    durable_stream.CLOSED: {"description": "The run has ended: nothing follows.", **_TRUE},
}
_UP_TO_DATE: Final[Document] = {
    durable_stream.UP_TO_DATE: {"description": "There was no more when this was read.", **_TRUE}
}
_CURSOR: Final[Document] = {
    durable_stream.CURSOR: {
        "description": "For `cursor` of the next long poll.",
        "schema": {"type": "string", "pattern": durable_stream.CURSOR_PATTERN},
    }
}
_EVENTS: Final[Document] = {"schema": {"type": "array", "items": ref("Event")}}
_REFUSALS: Final = (
    *TO_ANY_CALLER,
    *WITHOUT_RUN,
    *refused(Code.AGENT_STREAM_QUERY_INVALID, Code.AGENT_RATE_LIMIT, Code.AGENT_RUN_EVENTS_EXPIRED),
)

READ: Final = Operation(
    "get",
    "/api/v1/agent/runs/{threadId}/stream",
    operation_id="read_stream",
    summary="Read a run's events as a Durable Stream",
    security=BY_KEY,
    description="The read side of [Durable Streams](https://durablestreams.com) in JSON mode, for its released "
    "clients: the events of `GET …/events`, by offsets instead of numbers. Without `live`, a chunk of what is stored.",
    parameters=[
        THREAD_ID,
        RUN_ID,
        {
            "name": "offset",
            "in": "query",
            "description": "`-1`: the start. `now`: the end. Else one that the stream gave. Required with `live`.",
            "schema": {"type": "string", "pattern": durable_stream.OFFSET_PATTERN},
        },
        {
            "name": "live",
            "in": "query",
            "description": "`long-poll`: waits for events if there are none. `sse`: server-sent events until the end.",
            "schema": {"enum": list(durable_stream.LIVE)},
        },
        {
            "name": "cursor",
            "in": "query",
            "description": "`Stream-Cursor` of the response before.",
            "schema": {"type": "string", "pattern": durable_stream.CURSOR_PATTERN},
        },
        {"name": "If-None-Match", "in": "header", "schema": {"type": "string", "examples": ['"0"']}},
    ],
    responses={
        "200": {
            "description": "Events. As `text/event-stream`, frames of the type `data`, an array of events, each with "
            "one of the type `control`: an object with `streamNextOffset`, `streamCursor`, `upToDate`, `streamClosed`.",
            "headers": {
                **{name: {**header, "required": False} for name, header in _PLACE.items()},
                **_UP_TO_DATE,
                **_CURSOR,
                "ETag": {"schema": {"type": "string"}},
                "Cache-Control": {"schema": {"type": "string"}},
            },
            "content": {"application/json": _EVENTS, "text/event-stream": {"schema": {"type": "string"}}},
        },
        "204": {
            "description": "A long poll without events.",
            "headers": {**_PLACE, **_UP_TO_DATE, **_CURSOR},
        },
        "304": {"description": "The client has this chunk.", "headers": {**_PLACE, **_UP_TO_DATE}},
    },
    refusals=(*_REFUSALS, *refused(Code.AGENT_SSE_CONNECTION_LIMIT)),
)

END: Final = Operation(
    "head",
    "/api/v1/agent/runs/{threadId}/stream",
    operation_id="read_stream_end",
    summary="Where a run's stream ends",
    security=BY_KEY,
    parameters=[THREAD_ID, RUN_ID],
    responses={
        "200": {"description": "The end of the stream, so far.", "headers": {**_PLACE}},
    },
    refusals=_REFUSALS,
)
