"""The OpenAPI description of `POST /send-message`."""

from typing import Final

from functions.openapi import AGUI_FRAME, BY_KEY, DIVINATION, TO_A_RUN, Document, Operation, agent, ref, refused
from yarrow.media.sent_pictures import INLINE_BYTES
from yarrow.protocol.agui.request import MAX_MESSAGES, MAX_THREAD_ID_LENGTH
from yarrow.protocol.problems import Code
from yarrow.protocol.run_ids import MAX_RUN_ID_LENGTH
from yarrow.protocol.run_input.body import MAX_ATTACHMENTS

_NAME: Final[Document] = {"type": "string", "minLength": 1, "maxLength": MAX_RUN_ID_LENGTH}
_BODY: Final[Document] = {
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

OPERATION: Final = Operation(
    "post",
    "/send-message",
    operation_id="send_message",
    summary="Converse as an AG-UI client",
    security=BY_KEY,
    description="The last user message, with the results of frontend tools after it, becomes a run; the answer is "
    "its stream. The same body again is answered by the same run from its start. Hanging up does not cancel it.",
    parameters=[agent("the one that the input implies, else the assistant")],
    request_body={
        "required": True,
        "content": {
            "application/json": {
                "schema": _BODY,
                "examples": {
                    "divination": {"value": DIVINATION | {"threadId": "thread_001", "protocolVersion": "1.0"}}
                },
            }
        },
    },
    responses={
        "200": {
            "description": "Server-sent events: lines `data`, each ended by an empty line, and comments while the run "
            "is quiet. The last event is RUN_FINISHED or RUN_ERROR; with the code STREAM_TIMEOUT or STREAM_FAILED the "
            "run may go on, and `stream_events` shows it. A run that was cancelled ends for a client of AG-UI 1.0 with "
            "RUN_FINISHED and the outcome `cancelled`.",
            "content": {"text/event-stream": {"schema": AGUI_FRAME}},
        }
    },
    refusals=(
        *TO_A_RUN,
        *refused(Code.AGENT_BRANCH_LIMIT, Code.AGENT_RUN_EVENTS_EXPIRED, Code.AGENT_SSE_CONNECTION_LIMIT),
        *refused(Code.AGENT_ATTACHMENT_TOO_LARGE, Code.AGENT_ATTACHMENT_STORAGE_UNAVAILABLE),
    ),
)
