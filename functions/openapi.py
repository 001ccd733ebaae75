"""What the descriptions in `functions/*/openapi.py` and `functions/*/openapi/` share: parameters, examples, refusals.

They are Python, not YAML, because they quote the code's limits and lists. Only `tools.make_openapi` imports them.
"""

from dataclasses import dataclass, field
from typing import Any, Final

from yarrow.agents.bindings import deployed
from yarrow.packages import error_codes
from yarrow.packages.declared import loaders
from yarrow.protocol.problems import Code, ProblemCode
from yarrow.protocol.run_ids import MAX_RUN_ID_LENGTH
from yarrow.web.streams.event_stream import MAX_WAIT_SECONDS

Document = dict[str, Any]
Refusal = tuple[int, ProblemCode]
"""A status and an error code."""


@dataclass(frozen=True, kw_only=True)
class Operation:
    """A method of a path: OpenAPI's Operation Object; responses to refusals are generated."""

    method: str = field(kw_only=False)
    path: str = field(kw_only=False)
    operation_id: str
    summary: str
    security: list[Document] | None = None
    """None means that of the whole API."""
    description: str | None = None
    parameters: list[Document] | None = None
    request_body: Document | None = None
    responses: Document
    refusals: tuple[Refusal, ...]

    def document(self, problems: Document) -> Document:
        """Return the Operation Object, with the responses to its refusals that it does not describe itself."""
        members = {
            "operationId": self.operation_id,
            "summary": self.summary,
            "security": self.security,
            "description": self.description,
            "parameters": self.parameters,
            "requestBody": self.request_body,
            "responses": self.responses | problems | self.responses,
        }
        return {name: value for name, value in members.items() if value is not None}


def ref(name: str) -> Document:
    """Return a reference to a component schema."""
    return {"$ref": f"#/components/schemas/{name}"}


def form(properties: Document, encoding: Document | None = None) -> Document:
    """The request body of a multipart form whose fields are all required."""
    schema = {"type": "object", "properties": properties, "required": list(properties)}
    content = {"schema": schema} | ({"encoding": encoding} if encoding else {})
    return {"required": True, "content": {"multipart/form-data": content}}


BINARY: Final[Document] = {"type": "string", "format": "binary"}

THREAD: Final = "550e8400-e29b-41d4-a716-446655440000"
RUN: Final = "run_20260403_xxx"

REQUESTS: Final[dict[str, Document]] = {name: load() for name, load in loaders("yarrow.request_examples")}
"""Example requests by name, as packages declare them for their agents: run inputs as JSON."""


def refused(*codes: ProblemCode, status: int | None = None) -> tuple[Refusal, ...]:
    """Return codes with their usual status, or with another."""
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
TO_A_RUN: Final = (
    *TO_ANY_CALLER,
    *refused(Code.AGENT_SESSION_NOT_FOUND, Code.AGENT_RUN_CONFLICT, Code.AGENT_RUN_IN_PROGRESS),
    *refused(Code.AGENT_SESSION_RUN_LIMIT_EXCEEDED, Code.AGENT_RUN_LIMIT),
    *refused(Code.AGENT_RATE_LIMIT, Code.AGENT_TOKEN_LIMIT),
    *refused(Code.AGENT_RUN_INPUT_INVALID, status=413),
    *refused(Code.REQUEST_CONTENT_TYPE_UNSUPPORTED, Code.AGENT_RUN_INPUT_INVALID),
    *refused(Code.AGENT_RUN_MESSAGES_INVALID, Code.AGENT_RUNTIME_MODE_INVALID),
    *refused(*error_codes.find_all()),
)

BY_KEY: Final[list[Document]] = [{"bearer": []}, {"apiKey": []}]
"""Security of an operation that also takes API keys (C42)."""

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
WAIT: Final[Document] = {
    "name": "wait",
    "in": "query",
    "description": "For clients that cannot read a response before its end: the stream lasts at most these seconds, "
    "and about one second after its first event. The client then asks again as after any stream.",
    "schema": {"type": "integer", "minimum": 1, "maximum": MAX_WAIT_SECONDS},
}
TIMES: Final[Document] = {
    "name": "times",
    "in": "query",
    "description": "`true`: each event has a `timestamp`, when it was stored, in milliseconds since the epoch. Events "
    "that a snapshot restates have none.",
    "schema": {"type": "boolean", "default": False},
}
PROTOCOL_VERSION: Final[Document] = {
    "name": "protocolVersion",
    "in": "query",
    "description": "The AG-UI version of the client, such as `1.0`, for events in AG-UI format. Without it they are as "
    "clients before 1.0 take them: a cancelled run ends with RUN_ERROR, and results of tools have no parts.",
    "schema": {"type": "string"},
}
TRACE_PARENT: Final[Document] = {
    "name": "traceparent",
    "in": "header",
    "description": "The client's span, as in W3C Trace Context: the parent of the run's. An invalid one is ignored.",
    "schema": {"type": "string"},
}
UPLOAD_ID: Final[Document] = {
    "name": "uploadId",
    "in": "path",
    "required": True,
    "schema": {"type": "string", "format": "uuid"},
}


def limit(most: int, otherwise: int) -> Document:
    """The parameter `limit`: how many entries a page has at most."""
    schema = {"type": "integer", "minimum": 1, "maximum": most, "default": otherwise}
    return {"name": "limit", "in": "query", "schema": schema}


def after(pattern: str, page: str = "the previous page") -> Document:
    """The parameter `after`: the place at which `page` has ended."""
    schema = {"type": "string", "pattern": f"^{pattern}$"}
    return {"name": "after", "in": "query", "description": f"`next` of {page}.", "schema": schema}


def agent(otherwise: str) -> Document:
    """The parameter `agent`; `otherwise` says which agent answers without it."""
    return {
        "name": "agent",
        "in": "query",
        "description": f"The agent of a new session. Default: {otherwise}. A deployment lists its "
        f"agents in a file; Yarrow ships with {', '.join(f'`{name}`' for name in sorted(deployed()))}.",
        "schema": {"type": "string", "examples": sorted(deployed())},
    }


_AGUI_FRAMING: Final = ("RUN_STARTED", "RUN_FINISHED")
_AGUI_OTHERS: Final = (
    *("RUN_ERROR", "TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END"),
    *("TOOL_CALL_START", "TOOL_CALL_ARGS", "TOOL_CALL_END", "TOOL_CALL_RESULT", "CUSTOM"),
    *("STATE_SNAPSHOT", "STATE_DELTA", "MESSAGES_SNAPSHOT", "REASONING_START", "REASONING_END"),
    *("ACTIVITY_SNAPSHOT", "ACTIVITY_DELTA"),
    *("SUBAGENT_STARTED", "SUBAGENT_FINISHED", "SUBAGENT_ERROR"),
    *("REASONING_MESSAGE_START", "REASONING_MESSAGE_CONTENT", "REASONING_MESSAGE_END"),
)
_AGUI_EVENT: Final[Document] = {
    "description": "An AG-UI 1.0 event without extra members: what this service adds is in `metadata`, in `result` or "
    "in a CUSTOM event.",
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
    "properties": {"data": {"type": "string", "contentMediaType": "application/json", "contentSchema": _AGUI_EVENT}},
    "required": ["data"],
}

NO_STORE: Final[Document] = {"Cache-Control": {"schema": {"const": "no-store"}}}


JOB_ID: Final[Document] = {
    "name": "jobId",
    "in": "path",
    "required": True,
    "description": "The automation job.",
    "schema": {"type": "string", "format": "uuid"},
}
WEBHOOK_ID: Final[Document] = {
    "name": "webhookId",
    "in": "path",
    "required": True,
    "description": "The webhook.",
    "schema": {"type": "string", "format": "uuid"},
}
DELIVERY_ID: Final[Document] = {
    "name": "deliveryId",
    "in": "path",
    "required": True,
    "description": "The delivery of the webhook.",
    "schema": {"type": "string"},
}
IF_MATCH: Final[Document] = {
    "name": "If-Match",
    "in": "header",
    "description": "The `ETag` of the job as the client knows it; if it has changed since, the request is refused.",
    "schema": {"type": "string", "examples": ['"1"']},
}
JOB_ANSWER: Final[Document] = {
    "headers": {**NO_STORE, "ETag": {"description": "The job's version.", "schema": {"type": "string"}}},
    "content": {"application/json": {"schema": ref("Job")}},
}


def stored_for(what: str, operation: str) -> Document:
    """The response to a form that API Gateway stored: the path of the operation that returns the result."""
    location = {"description": f"The path of `{operation}`.", "schema": {"type": "string", "format": "uri-reference"}}
    return {"description": f"The form is stored; the {what} is at `Location`.", "headers": {"Location": location}}
