"""The operations of the HTTP API for `make_openapi`: parameters, responses and refusals.

An operation is named after its function. Schemas of bodies are in `openapi_schemas`.
"""

from typing import Any, Final, get_args

from tools.openapi_attachments import BEGIN_UPLOAD, FINISH_UPLOAD, SIGN_ATTACHMENT, UPLOAD_ATTACHMENT
from tools.openapi_schemas import ref
from tools.openapi_transcription import TRANSCRIBE, UPLOAD_RECORDING
from yarrow.agents.bindings import BINDINGS
from yarrow.media.sent_pictures import INLINE_BYTES
from yarrow.protocol.agui.request import MAX_MESSAGES, MAX_THREAD_ID_LENGTH
from yarrow.protocol.events import events, sse
from yarrow.protocol.history import DaySnapshot, Snapshot
from yarrow.protocol.problems import Code
from yarrow.protocol.run_ids import MAX_RUN_ID_LENGTH
from yarrow.protocol.run_input.body import MAX_ATTACHMENTS
from yarrow.runs.get_history import DEFAULT_SESSIONS, MAX_SESSIONS
from yarrow.runs.stream_events import DEFAULT_IDLE_SECONDS, MAX_IDLE_SECONDS
from yarrow.web.stream_formats import PROFILES

Document = dict[str, Any]
Refusal = tuple[int, Code]
"""A status and an error code."""

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

ASSISTANT_RUN: Final[Document] = {
    "threadId": THREAD,
    "runId": RUN,
    "messages": [{"id": f"msg_{RUN}_user_0", "role": "user", "content": "What is on my calendar today?"}],
    "forwardedProps": {"runtime_mode": "chat"},
}
"""The input every agent takes; with `?agent=assistant` if that is not the default."""


def _agent(otherwise: str) -> Document:
    return {
        "name": "agent",
        "in": "query",
        "description": f"The agent of a new session; without it, {otherwise}. A deployment has the agents that it "
        f"lists in a file; with Yarrow come {' and '.join(f'`{name}`' for name in sorted(BINDINGS))}.",
        "schema": {"type": "string", "examples": sorted(BINDINGS)},
    }


SUBMIT_RUN: Final[Document] = {
    "operationId": "submit_run",
    "summary": "Submit a run",
    "description": "The run, its session and the user's message are stored before this is answered. The same body "
    "again is answered as the first time; the same `runId` with another body is a conflict.",
    "parameters": [_agent("the one that the input implies, else the deployment's default")],
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {
                "schema": ref("RunAgentInput"),
                "examples": {"divination": {"value": DIVINATION}, "assistant": {"value": ASSISTANT_RUN}},
            }
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

BY_KEY: Final[list[Document]] = [{"bearer": []}, {"apiKey": []}]
"""Security of an operation that also takes API keys (C42)."""

CANCEL_RUN: Final[Document] = {
    "operationId": "cancel_run",
    "summary": "Cancel a run",
    "security": BY_KEY,
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


_AGUI_FRAMING: Final = ("RUN_STARTED", "RUN_FINISHED")
_AGUI_OTHERS: Final = (
    *("RUN_ERROR", "TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END"),
    *("TOOL_CALL_START", "TOOL_CALL_ARGS", "TOOL_CALL_END", "TOOL_CALL_RESULT", "CUSTOM"),
    *("STATE_SNAPSHOT", "STATE_DELTA", "MESSAGES_SNAPSHOT", "REASONING_START", "REASONING_END"),
    *("REASONING_MESSAGE_START", "REASONING_MESSAGE_CONTENT", "REASONING_MESSAGE_END"),
)
AGUI_EVENT: Final[Document] = {
    "description": "An event of AG-UI 1.0, without any member of this service's own; what those say is in `metadata`, "
    "in `result` or in a CUSTOM event.",
    "anyOf": [
        {
            "type": "object",
            "properties": {
                "type": {"enum": list(_AGUI_FRAMING)},
                "threadId": {"type": "string"},
                "runId": {"type": "string"},
            },
            "required": ["type", "threadId", "runId"],
        },
        {
            "type": "object",
            "properties": {"type": {"enum": list(_AGUI_OTHERS)}, "threadId": False, "runId": False},
            "required": ["type"],
        },
    ],
}
AGUI_FRAME: Final[Document] = {
    "description": "One frame of an event stream for AG-UI clients.",
    "type": "object",
    "properties": {"data": {"type": "string", "contentMediaType": "application/json", "contentSchema": AGUI_EVENT}},
    "required": ["data"],
}
_NAME: Final[Document] = {"type": "string", "minLength": 1, "maxLength": MAX_RUN_ID_LENGTH}
AGUI_RUN_AGENT_INPUT: Final[Document] = {
    "description": "A conversation as AG-UI clients send it, of at most 4 MiB. What is not known here is passed over, "
    "be it a member, a role or a part of a message. The last user message may have up to "
    f"{MAX_ATTACHMENTS} pictures, by URLs of this service, by ids, or whole with up to {INLINE_BYTES} bytes each.",
    "type": "object",
    "properties": {
        "threadId": {**_NAME, "maxLength": MAX_THREAD_ID_LENGTH, "description": "The client's name for the session."},
        "runId": _NAME,
        "protocolVersion": {
            "type": ["string", "null"],
            "description": "The AG-UI version of the client; none is before 1.0.",
        },
        "parentRunId": {"type": ["string", "null"], "maxLength": MAX_RUN_ID_LENGTH},
        "state": True,
        "messages": {
            "type": "array",
            "maxItems": MAX_MESSAGES,
            "items": {
                "type": "object",
                "properties": {"id": {"type": "string"}, "role": {"type": "string"}},
                "required": ["id", "role"],
            },
            "contains": {"properties": {"role": {"const": "user"}}},
        },
        "tools": {"type": ["array", "null"], "items": {"type": "object"}},
        "context": {"type": ["array", "null"], "items": ref("ContextEntry")},
        "forwardedProps": {
            "description": "Of an object, `runtime_mode` (`chat` when absent), `client_time` and what the agent "
            "demands are read, as of any run; the rest is the agent's own affair."
        },
    },
    "required": ["threadId", "runId", "messages"],
}

SEND_MESSAGE: Final[Document] = {
    "operationId": "send_message",
    "summary": "Converse as an AG-UI client",
    "security": BY_KEY,
    "description": "The last user message, with the results of frontend tools after it, becomes a run; the answer is "
    "its stream. The same body again is answered by the same run from its start. Hanging up does not cancel it.",
    "parameters": [_agent("the one that the input implies, else the assistant")],
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {
                "schema": AGUI_RUN_AGENT_INPUT,
                "examples": {
                    "divination": {"value": DIVINATION | {"threadId": "thread_001", "protocolVersion": "1.0"}}
                },
            }
        },
    },
    "responses": {
        "200": {
            "description": "Server-sent events: lines `data`, each ended by an empty line, and comments while the run "
            "is quiet. The last event is RUN_FINISHED or RUN_ERROR; with the code STREAM_TIMEOUT or STREAM_FAILED the "
            "run may go on, and `stream_events` shows it. A run that was cancelled ends for a client of AG-UI 1.0 with "
            "RUN_FINISHED and the outcome `cancelled`.",
            "content": {"text/event-stream": {"schema": AGUI_FRAME}},
        }
    },
}

STREAM_EVENTS: Final[Document] = {
    "operationId": "stream_events",
    "summary": "Watch a run",
    "security": BY_KEY,
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
            "name": "profile",
            "in": "query",
            "description": "The events as AG-UI clients take them: `agui` under the same cursors; `snapshot` as a "
            "stream that begins with RUN_STARTED and a MESSAGES_SNAPSHOT of where the run stands, whatever the cursor, "
            "and that always ends with RUN_FINISHED or RUN_ERROR.",
            "schema": {"enum": list(PROFILES)},
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
            "content": {"text/event-stream": {"schema": {"anyOf": [ref("Frame"), AGUI_FRAME]}}},
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

TO_A_RUN: Final = (
    *TO_ANY_CALLER,
    *refused(Code.AGENT_SESSION_NOT_FOUND, Code.AGENT_RUN_CONFLICT, Code.AGENT_RUN_IN_PROGRESS, Code.AGENT_RUN_LIMIT),
    *refused(Code.AGENT_RATE_LIMIT, Code.AGENT_TOKEN_LIMIT),
    *refused(Code.AGENT_RUN_INPUT_INVALID, status=413),
    *refused(Code.REQUEST_CONTENT_TYPE_UNSUPPORTED, Code.AGENT_RUN_INPUT_INVALID),
    *refused(Code.AGENT_RUN_MESSAGES_INVALID, Code.AGENT_RUNTIME_MODE_INVALID),
    *refused(Code.AGENT_DIVINATION_PAYLOAD_REQUIRED),
    *refused(Code.AGENT_DIVINATION_PAYLOAD_MISMATCH),
)

OPERATIONS: Final[tuple[tuple[str, str, Document, tuple[Refusal, ...]], ...]] = (
    ("/api/v1/agent/runs", "post", SUBMIT_RUN, TO_A_RUN),
    (
        "/send-message",
        "post",
        SEND_MESSAGE,
        (
            *TO_A_RUN,
            *refused(Code.AGENT_BRANCH_LIMIT, Code.AGENT_RUN_EVENTS_EXPIRED, Code.AGENT_SSE_CONNECTION_LIMIT),
            *refused(Code.AGENT_ATTACHMENT_TOO_LARGE, Code.AGENT_ATTACHMENT_STORAGE_UNAVAILABLE),
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
            *refused(Code.AGENT_RATE_LIMIT),
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
    (
        "/api/v1/agent/attachments",
        "post",
        UPLOAD_ATTACHMENT,
        (*TO_ANY_CALLER, *refused(Code.AGENT_ATTACHMENT_STORAGE_UNAVAILABLE)),
    ),
    (
        "/api/v1/agent/attachments/uploads",
        "post",
        BEGIN_UPLOAD,
        (
            *TO_ANY_CALLER,
            *refused(Code.REQUEST_CONTENT_TYPE_UNSUPPORTED, Code.AGENT_ATTACHMENT_TYPE_UNSUPPORTED),
            *refused(Code.AGENT_ATTACHMENT_INVALID, Code.AGENT_SESSION_ID_INVALID, Code.AGENT_SESSION_NOT_FOUND),
            *refused(Code.AGENT_SIGNED_URL_GENERATION_FAILED),
            *refused(Code.AGENT_RATE_LIMIT),
        ),
    ),
    (
        "/api/v1/agent/attachments/uploads/{uploadId}",
        "get",
        FINISH_UPLOAD,
        (
            *TO_ANY_CALLER,
            *refused(Code.AGENT_ATTACHMENT_NOT_FOUND, Code.AGENT_SESSION_NOT_FOUND, Code.AGENT_SESSION_ID_INVALID),
            *refused(Code.REQUEST_CONTENT_TYPE_UNSUPPORTED, Code.AGENT_ATTACHMENT_INVALID, Code.AGENT_ATTACHMENT_EMPTY),
            *refused(Code.AGENT_ATTACHMENT_TOO_LARGE, Code.AGENT_ATTACHMENT_TYPE_UNSUPPORTED),
            *refused(Code.AGENT_ATTACHMENT_STORAGE_UNAVAILABLE, Code.AGENT_SIGNED_URL_GENERATION_FAILED),
            *refused(Code.AGENT_RATE_LIMIT),
        ),
    ),
    (
        "/api/v1/agent/attachments/signed-url",
        "get",
        SIGN_ATTACHMENT,
        (
            *TO_ANY_CALLER,
            *refused(Code.AGENT_ATTACHMENT_BUCKET_INVALID, Code.AGENT_ATTACHMENT_INVALID),
            *refused(Code.AGENT_ATTACHMENT_PATH_SCOPE_INVALID, Code.AGENT_SIGNED_URL_GENERATION_FAILED),
            *refused(Code.AGENT_RATE_LIMIT),
        ),
    ),
    (
        "/api/v1/agent/transcribe",
        "post",
        UPLOAD_RECORDING,
        (*TO_ANY_CALLER, *refused(Code.AGENT_ASR_UNAVAILABLE)),
    ),
    (
        "/api/v1/agent/transcribe/{uploadId}",
        "get",
        TRANSCRIBE,
        (
            *TO_ANY_CALLER,
            *refused(Code.AGENT_AUDIO_NOT_FOUND, Code.REQUEST_CONTENT_TYPE_UNSUPPORTED, Code.AGENT_AUDIO_INVALID),
            *refused(Code.AGENT_AUDIO_UNSUPPORTED_FORMAT, Code.AGENT_AUDIO_EMPTY, Code.AGENT_AUDIO_TOO_LARGE),
            *refused(Code.AGENT_AUDIO_TOO_LONG, Code.AGENT_ASR_UNAVAILABLE, Code.AGENT_ASR_FAILED),
            *refused(Code.AGENT_ASR_IN_PROGRESS, Code.AGENT_ASR_LIMIT),
        ),
    ),
    ("/openapi.json", "get", DESCRIBE_API, BY_GATEWAY),
)
"""Path, method, operation and refusals."""
