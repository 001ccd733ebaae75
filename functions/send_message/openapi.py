"""The OpenAPI description of `POST /send-message`."""

from typing import Final

from functions.openapi import (
    AGUI_FRAME,
    BY_KEY,
    REQUESTS,
    TIMES,
    TO_A_RUN,
    TRACE_PARENT,
    WAIT,
    Document,
    Operation,
    agent,
    ref,
    refused,
)
from yarrow.media.sent_pictures import INLINE_BYTES
from yarrow.protocol.agui.request import MAX_MESSAGES, MAX_THREAD_ID_LENGTH
from yarrow.protocol.problems import Code
from yarrow.protocol.run_ids import MAX_RUN_ID_LENGTH
from yarrow.protocol.run_input.body import MAX_ATTACHMENTS

_NAME: Final[Document] = {"type": "string", "minLength": 1, "maxLength": MAX_RUN_ID_LENGTH}
_BODY: Final[Document] = {
    "description": "An AG-UI RunAgentInput of at most 4 MiB. Unknown members, roles and message parts are ignored. The "
    f"last user message may have up to {MAX_ATTACHMENTS} pictures: by a URL of this service, by id, or inline with at "
    f"most {INLINE_BYTES} bytes each. The latest tool results may have as many, in the same forms.",
    "type": "object",
    "properties": {
        "threadId": {**_NAME, "maxLength": MAX_THREAD_ID_LENGTH, "description": "The client's name for the session."},
        "runId": _NAME,
        "protocolVersion": {
            "type": ["string", "null"],
            "description": "The client's AG-UI version; absent or null means earlier than 1.0.",
        },
        "parentRunId": {"type": ["string", "null"], "maxLength": MAX_RUN_ID_LENGTH},
        "state": True,
        "metadata": {
            "type": ["object", "null"],
            "description": "`branch`: the id of the run to continue after. `persistentState`: true stores the state "
            "that the run ends with; the next run that asks begins with it if its own `state` is empty. Other members "
            "are ignored.",
            "properties": {
                "branch": {"type": ["string", "null"], "maxLength": MAX_RUN_ID_LENGTH},
                "persistentState": {"type": ["boolean", "null"]},
            },
        },
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
            "description": "Of an object, `runtime_mode` (default `chat`), `client_time` and the members the agent "
            "requires are validated as in `submit_run`; other members are left to the agent."
        },
    },
    "required": ["threadId", "runId", "messages"],
}

OPERATION: Final = Operation(
    "post",
    "/send-message",
    operation_id="send_message",
    summary="Send a message and stream the run to an AG-UI client",
    security=BY_KEY,
    description="Starts a run from the last user message and the results of frontend tools after it, and streams it in "
    "the response. Repeating the same body streams the same run from its start. Disconnecting does not cancel it.",
    parameters=[agent("the one implied by the input, else the deployment's `AguiAgent`"), WAIT, TIMES, TRACE_PARENT],
    request_body={
        "required": True,
        "content": {
            "application/json": {
                "schema": _BODY,
                "examples": {
                    name: {"value": request | {"threadId": "thread_001", "protocolVersion": "1.0"}}
                    for name, request in REQUESTS.items()
                },
            }
        },
    },
    responses={
        "200": {
            "description": "Server-sent events with a `data` line each, and keep-alive comments. The last event is "
            "RUN_FINISHED or RUN_ERROR. After RUN_ERROR with the code STREAM_TIMEOUT or STREAM_FAILED the run may "
            "still be active: continue with `stream_events`. To AG-UI 1.0 clients a cancelled run ends with "
            "RUN_FINISHED and the outcome `cancelled`, one that asks the user with the outcome `interrupt`. If "
            "`resume` is wrong, or is missing while questions are open, the stream is a RUN_STARTED and a RUN_ERROR "
            "with a code `AGENT_INTERRUPT_…`.",
            "content": {"text/event-stream": {"schema": AGUI_FRAME}},
        }
    },
    refusals=(
        *TO_A_RUN,
        *refused(Code.AGENT_BRANCH_LIMIT, Code.AGENT_RUN_EVENTS_EXPIRED, Code.AGENT_SSE_CONNECTION_LIMIT),
        *refused(Code.AGENT_ATTACHMENT_TOO_LARGE, Code.AGENT_ATTACHMENT_STORAGE_UNAVAILABLE),
        *refused(Code.AGENT_STORAGE_LIMIT, Code.AGENT_EVENTS_QUERY_INVALID),
    ),
)
