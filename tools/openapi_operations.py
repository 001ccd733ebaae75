"""The operations of the HTTP API as `make_openapi` describes them: parameters, answers, and how each refuses.

An operation is named like the function that serves it. Schemas of bodies are in `openapi_schemas`.
"""

from typing import Any, Final, get_args

from tools.openapi_schemas import ref
from yarrow.host.bindings import BINDINGS
from yarrow.host.history import DEFAULT_SESSIONS, MAX_SESSIONS
from yarrow.host.subscription import DEFAULT_IDLE_SECONDS, MAX_IDLE_SECONDS
from yarrow.protocol import events, sse
from yarrow.protocol.history import DaySnapshot, Snapshot
from yarrow.protocol.problems import Code
from yarrow.protocol.run_input import MAX_RUN_ID_LENGTH

Document = dict[str, Any]
Refusal = tuple[int, Code]
"""A code, and the status it is answered with."""

THREAD: Final = "550e8400-e29b-41d4-a716-446655440000"
RUN: Final = "run_20260403_xxx"

DIVINATION: Final[Document] = {
    "threadId": THREAD,
    "runId": RUN,
    "state": {},
    "messages": [{"id": f"msg_{RUN}_user_0", "role": "user", "content": "我最近换工作是否合适?"}],
    "tools": [],
    "context": [],
    "forwardedProps": {
        "runtime_mode": "chat",
        "client_time": {
            "device_timezone": "Asia/Shanghai",
            "client_now_iso": "2026-04-03T20:30:00+08:00",
            "client_epoch_ms": 1775219400000,
        },
        "divinationPayload": {
            "divinationMethod": "手动起卦",
            "questionType": "事业",
            "question": "我最近换工作是否合适?",
            "divinationTimeIso": "2026-04-03T20:30:00+08:00",
            "yaoLines": ["少阳", "少阴", "老阳", "少阴", "少阳", "老阴"],
        },
    },
}
"""The request of `divination-run.md`."""


def refused(*codes: Code, status: int | None = None) -> tuple[Refusal, ...]:
    """Codes with their usual status, or with another."""
    return tuple((status or code.status, code) for code in codes)


BY_GATEWAY: Final = (
    *refused(Code.REQUEST_INVALID, Code.REQUEST_TOO_LARGE, Code.REQUEST_THROTTLED, Code.SERVICE_TIMEOUT),
    *refused(Code.INTERNAL_ERROR),
    *refused(Code.INTERNAL_ERROR, status=502),
)
TO_ANY_CALLER: Final = (
    *BY_GATEWAY,
    *refused(Code.AUTH_UNAUTHORIZED, Code.AGENT_FORBIDDEN, Code.SERVICE_UNAVAILABLE),
)
WITHOUT_RUN: Final = refused(
    Code.AGENT_SESSION_NOT_FOUND, Code.AGENT_RUN_NOT_FOUND, Code.AGENT_SESSION_ID_INVALID, Code.AGENT_INVALID_RUN_ID
)

THREAD_ID: Final[Document] = {
    "name": "threadId",
    "in": "path",
    "required": True,
    "description": "The session.",
    "schema": {"type": "string", "format": "uuid"},
}
RUN_ID: Final[Document] = {
    "name": "runId",
    "in": "query",
    "required": True,
    "schema": {"type": "string", "minLength": 1, "maxLength": MAX_RUN_ID_LENGTH},
}

SUBMIT_RUN: Final[Document] = {
    "operationId": "submit_run",
    "summary": "Submit a run",
    "description": "The run, its session and the user's message are stored before this is answered. The same body "
    "again is answered as the first time; the same `runId` with another body is a conflict.",
    "parameters": [
        {
            "name": "agent",
            "in": "query",
            "description": "The agent of a new session; without it, the one that the input implies.",
            "schema": {"enum": sorted(BINDINGS)},
        }
    ],
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {"schema": ref("RunAgentInput"), "examples": {"divination": {"value": DIVINATION}}}
        },
    },
    "responses": {
        "202": {
            "description": "The run is accepted, and its events can be watched.",
            "content": {
                "application/json": {
                    "schema": ref("TaskAcceptedResponse"),
                    "example": {"taskId": "0b2f…", "threadId": THREAD, "runId": RUN, "created": True},
                }
            },
            "links": {
                name: {
                    "operationId": name,
                    "parameters": {"threadId": "$response.body#/threadId", "runId": "$response.body#/runId"},
                }
                for name in ("stream_events", "cancel_run")
            },
        }
    },
}

CANCEL_RUN: Final[Document] = {
    "operationId": "cancel_run",
    "summary": "Cancel a run",
    "description": "The run ends with RUN_ERROR, code RUN_CANCELED. One that has ended already is left as it is.",
    "parameters": [THREAD_ID, RUN_ID],
    "responses": {
        "200": {
            "description": "The run has ended.",
            "content": {
                "application/json": {
                    "schema": {
                        "type": "object",
                        "properties": {
                            "threadId": {"type": "string"},
                            "runId": {"type": "string"},
                            "accepted": {"const": True},
                        },
                        "required": ["threadId", "runId", "accepted"],
                    },
                    "example": {"threadId": THREAD, "runId": RUN, "accepted": True},
                }
            },
        }
    },
}


def _scopes(snapshot: type[Snapshot | DaySnapshot]) -> tuple[str, ...]:
    return get_args(snapshot.model_fields["scope"].annotation)


def _sample_stream() -> str:
    ids = events.RunIds(thread_id=THREAD, run_id=RUN)
    told = (
        events.RunStarted(**ids),
        events.TextMessageStart(**ids, message_id="m-1"),
        events.TextMessageContent(**ids, message_id="m-1", delta="官鬼持世"),
    )
    frames = [sse.frame(number, events.encode(event)) for number, event in enumerate(told, start=1)]
    return b"".join([*frames, sse.KEEP_ALIVE]).decode()


STREAM_EVENTS: Final[Document] = {
    "operationId": "stream_events",
    "summary": "Watch a run",
    "description": "The run's events from the first or after `Last-Event-ID`, in their order, whether the run is going "
    "on or has ended.",
    "parameters": [
        THREAD_ID,
        RUN_ID,
        {
            "name": "idle_limit",
            "in": "query",
            "description": "After how many seconds without an event the stream ends.",
            "schema": {"type": "integer", "minimum": 1, "maximum": MAX_IDLE_SECONDS, "default": DEFAULT_IDLE_SECONDS},
        },
        {
            "name": "Last-Event-ID",
            "in": "header",
            "description": "The `id` of the last frame the client has; `0` or empty is the beginning.",
            "schema": {"type": "string", "pattern": f"^({sse.CURSOR.pattern})?$"},
        },
    ],
    "responses": {
        "200": {
            "description": "Server-sent events. The schema is that of one frame: lines `id`, `event` and `data`, ended "
            "by LF, and an empty line. While the run is quiet there is a comment every 15 seconds at the latest. The "
            "stream ends after RUN_FINISHED or RUN_ERROR; one that ends earlier ends with `retry`, and the client "
            f"comes back with `Last-Event-ID`.\n\n```\n{_sample_stream()}```",
            "content": {"text/event-stream": {"schema": ref("Frame")}},
        }
    },
}

GET_HISTORY: Final[Document] = {
    "operationId": "get_history",
    "summary": "Read a session, or list the sessions",
    "description": "With `threadId` every message of the session; without it the latest answer of each session, the "
    "last active one first. `before` or `scope=history_day` asks for the older view of a single day. A parameter that "
    "the view has no use for is ignored.",
    "parameters": [
        {"name": "threadId", "in": "query", "schema": {"type": "string", "format": "uuid"}},
        {
            "name": "session_limit",
            "in": "query",
            "description": "How many sessions to list.",
            "schema": {"type": "integer", "minimum": 1, "maximum": MAX_SESSIONS, "default": DEFAULT_SESSIONS},
        },
        {
            "name": "after_thread",
            "in": "query",
            "description": "The last session of the page before.",
            "schema": {"type": "string", "format": "uuid"},
        },
        {
            "name": "before",
            "in": "query",
            "description": "The last day with messages before this one, in the caller's time zone.",
            "schema": {"type": "string", "format": "date"},
        },
        {
            "name": "scope",
            "in": "query",
            "description": "The view that is meant; another than the other parameters imply is refused.",
            "schema": {"enum": [*_scopes(Snapshot), *_scopes(DaySnapshot)]},
        },
    ],
    "responses": {
        "200": {
            "description": "A snapshot.",
            "content": {"application/json": {"schema": {"oneOf": [ref("Snapshot"), ref("DaySnapshot")]}}},
        }
    },
}

DELETE_SESSION: Final[Document] = {
    "operationId": "delete_session",
    "summary": "Delete a session",
    "description": "Its active run is cancelled.",
    "parameters": [THREAD_ID],
    "responses": {"204": {"description": "The session is deleted, or there was none."}},
}

DESCRIBE_API: Final[Document] = {
    "operationId": "describe_api",
    "summary": "This document",
    "security": [],
    "responses": {
        "200": {
            "description": "The OpenAPI description of the API.",
            "content": {
                "application/json": {
                    "schema": {
                        "type": "object",
                        "properties": {"openapi": {"type": "string", "pattern": "^3\\.1\\."}},
                        "required": ["openapi", "info", "paths", "components"],
                    }
                }
            },
        }
    },
}

OPERATIONS: Final[tuple[tuple[str, str, Document, tuple[Refusal, ...]], ...]] = (
    (
        "/api/v1/agent/runs",
        "post",
        SUBMIT_RUN,
        (
            *TO_ANY_CALLER,
            *refused(Code.AGENT_SESSION_NOT_FOUND, Code.AGENT_RUN_CONFLICT, Code.AGENT_RUN_IN_PROGRESS),
            *refused(Code.AGENT_RUN_INPUT_INVALID, status=413),
            *refused(Code.REQUEST_CONTENT_TYPE_UNSUPPORTED, Code.AGENT_RUN_INPUT_INVALID),
            *refused(Code.AGENT_RUN_MESSAGES_INVALID, Code.AGENT_RUNTIME_MODE_INVALID),
            *refused(Code.AGENT_DIVINATION_PAYLOAD_REQUIRED),
        ),
    ),
    ("/api/v1/agent/runs/{threadId}/cancel", "post", CANCEL_RUN, (*TO_ANY_CALLER, *WITHOUT_RUN)),
    (
        "/api/v1/agent/runs/{threadId}/events",
        "get",
        STREAM_EVENTS,
        (
            *TO_ANY_CALLER,
            *WITHOUT_RUN,
            *refused(Code.AGENT_INVALID_LAST_EVENT_ID, Code.AGENT_EVENTS_QUERY_INVALID),
            *refused(Code.AGENT_RUN_EVENTS_EXPIRED, Code.AGENT_SSE_CONNECTION_LIMIT),
        ),
    ),
    (
        "/api/v1/agent/history",
        "get",
        GET_HISTORY,
        (
            *TO_ANY_CALLER,
            *refused(Code.AGENT_SESSION_NOT_FOUND, Code.AGENT_SESSION_ID_INVALID, Code.AGENT_HISTORY_QUERY_INVALID),
        ),
    ),
    (
        "/api/v1/agent/sessions/{threadId}",
        "delete",
        DELETE_SESSION,
        (*TO_ANY_CALLER, *refused(Code.AGENT_SESSION_ID_INVALID)),
    ),
    ("/openapi.json", "get", DESCRIBE_API, BY_GATEWAY),
)
"""Path, method, operation, and how it refuses."""
