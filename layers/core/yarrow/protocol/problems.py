"""Error codes, and the exception that carries one.

Every client error is an RFC 9457 problem with a stable `code` (ERR-01 … ERR-12), never renamed or removed (ERR-03).
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from http import HTTPStatus
from typing import Any, TypeAlias

# As RFC 9110 names them; Python before 3.13 has the older phrases.
_TITLES = {413: "Content Too Large", 422: "Unprocessable Content"}


class Code(Enum):
    AUTH_UNAUTHORIZED = 401, "The credential is missing or invalid."
    AGENT_FORBIDDEN = 403, "The thread belongs to another user, or the credential is not valid for this route."
    AGENT_SESSION_NOT_FOUND = 404, "The session does not exist or was deleted."
    AGENT_RUN_NOT_FOUND = 404, "The session has no run with this id."
    AGENT_STEP_NOT_FOUND = 404, "The run has no step with this id."
    AGENT_RUN_NOT_FORKABLE = 409, "The run cannot be repeated from a step; `detail` says why."
    AGENT_RUN_NOT_STEERABLE = 409, "The run takes no message: `params.reason` says why."
    AGENT_RUN_MESSAGE_CONFLICT = 409, "Another message of the run, or the one that it answers, has this id."
    AGENT_RUN_MESSAGE_LIMIT = 409, "As many messages were added to the run as it can take; send the next after its end."
    AGENT_SESSION_ID_INVALID = 422, "The thread id in the path or query is not a UUID."
    AGENT_INVALID_RUN_ID = 422, "The runId query parameter is missing or invalid."
    AGENT_INVALID_LAST_EVENT_ID = 422, "Last-Event-ID is not a cursor of this run."
    AGENT_EVENTS_QUERY_INVALID = 422, "A query parameter of the events request is invalid."
    AGENT_STREAM_QUERY_INVALID = 400, "A query parameter of the stream request is invalid."
    AGENT_RUN_EVENTS_EXPIRED = 410, "The run's events have expired; its answer is in the history."
    AGENT_SSE_CONNECTION_LIMIT = 429, "The user has reached the limit of open event streams."
    AGENT_RUN_INPUT_INVALID = 422, "The run input breaks a rule that `detail` names."
    AGENT_RUN_MESSAGES_INVALID = 422, "The messages of the run input break a rule that `detail` names."
    AGENT_RUNTIME_MODE_INVALID = 422, "forwardedProps.runtime_mode is missing or not allowed for the agent."
    AGENT_NAME_UNKNOWN = 404, "The deployment has no agent of this name."
    AGENT_RUN_CONFLICT = 409, "The runId was used in this session with another body."
    AGENT_RUN_IN_PROGRESS = 409, "The session has an active run."
    AGENT_SESSION_RUN_LIMIT_EXCEEDED = 409, "The session has reached the limit of runs; start another one."
    AGENT_BRANCH_LIMIT = 409, "The session has reached the limit of branches; start another one."
    AGENT_INTERRUPT_OPEN = 409, "The session has open questions: answer or cancel them, in `resume` or by their route."
    AGENT_INTERRUPT_INCOMPLETE = 422, "`resume` must have one entry for each open question of the session."
    AGENT_INTERRUPT_NOT_FOUND = 404, "The user has no such question in this session."
    AGENT_INTERRUPT_ANSWERED = 409, "The question has another answer already, or was closed; the first one counts."
    AGENT_INTERRUPT_EXPIRED = 410, "The question has expired; it can only be cancelled."
    AGENT_INTERRUPT_ANSWER_INVALID = 422, "The answer does not match the question's schema; `detail` says where."
    AGENT_INTERRUPT_QUERY_INVALID = 422, "A query parameter of the interrupts request is invalid."
    AGENT_RUN_LIMIT = 429, "The user has reached the limit of active runs."
    AGENT_TOKEN_LIMIT = 429, "The user has reached today's limit of model tokens (days in UTC)."
    AGENT_WORKSPACE_CONNECTION_LIMIT = 429, "The user has reached the limit of open connections to a workspace."
    AGENT_RATE_LIMIT = 429, "The user has reached a limit per minute; retry after `Retry-After`."
    AGENT_STORAGE_LIMIT = 429, "The user's attachments have reached the storage limit."
    AGENT_HISTORY_QUERY_INVALID = 422, "A query parameter of the history request is invalid."
    AGENT_OUTCOME_INVALID = 422, "A member of the outcome, which `detail` names, is invalid."
    AGENT_OUTCOME_NO_READING = 422, "The session, or the run, has no reading: it was declined, has not ended or failed."
    AGENT_ATTACHMENT_INVALID = 422, "The upload or the query is incomplete or malformed; `detail` says how."
    AGENT_ATTACHMENT_EMPTY = 422, "The file is empty."
    AGENT_ATTACHMENT_TOO_LARGE = 413, "The file exceeds the size limit of attachments."
    AGENT_ATTACHMENT_TYPE_UNSUPPORTED = 415, "The file is declared as a picture but has no known picture format."
    AGENT_ATTACHMENT_NOT_FOUND = 404, "The upload does not exist: it never arrived, was refused, or has expired."
    AGENT_ATTACHMENT_STORAGE_UNAVAILABLE = 503, "The file could not be stored or read; repeat the request."
    AGENT_ATTACHMENT_BUCKET_INVALID = 422, "The bucket is not the attachments' bucket."
    AGENT_ATTACHMENT_PATH_SCOPE_INVALID = 403, "The path is not an attachment of the caller."
    AGENT_SIGNED_URL_GENERATION_FAILED = 502, "The URL could not be signed; repeat the request."
    AGENT_AUDIO_INVALID = 422, "The form has no recording or is malformed; `detail` says how."
    AGENT_AUDIO_UNSUPPORTED_FORMAT = 400, "The recording is not a supported WAV; `detail` says why."
    AGENT_AUDIO_EMPTY = 400, "The recording is empty."
    AGENT_AUDIO_TOO_LARGE = 400, "The recording exceeds the size limit."
    AGENT_AUDIO_TOO_LONG = 400, "The recording exceeds the length limit."
    AGENT_AUDIO_NOT_FOUND = 404, "The recording does not exist: it never arrived, was refused, or has expired."
    AGENT_ASR_UNAVAILABLE = 502, "Speech recognition failed; `detail` says why, if known."
    AGENT_ASR_FAILED = 422, "Speech recognition failed repeatedly; send another recording."
    AGENT_ASR_IN_PROGRESS = 409, "The recording is being recognised; retry after `Retry-After`."
    AGENT_ASR_LIMIT = 429, "The user has reached today's limit of recognised speech (days in UTC)."
    AGENT_TASK_NOT_FOUND = 404, "No agent has a workspace with this task name."
    AGENT_WORKSPACE_TICKET_INVALID = 422, "The body of a ticket request is malformed; `detail` says how."
    AGENT_USAGE_QUERY_INVALID = 422, "A query parameter of the usage request is invalid."
    AGENT_MEMORY_QUERY_INVALID = 422, "A query parameter of the memories request is invalid."
    AGENT_MEMORY_ID_INVALID = 422, "The memory id in the path is malformed."
    AUTOMATION_JOB_INVALID = 422, "A member of the job, named by `params.member`, or of the request, is invalid."
    AUTOMATION_SCHEDULE_UNSUPPORTED = (
        422,
        "The cron expression is valid, but a job cannot run at its times; `params.reason` says why.",
    )
    AUTOMATION_JOB_NOT_FOUND = 404, "The job does not exist or was deleted."
    AUTOMATION_JOB_CHANGED = 412, "The job is not the version that If-Match names; read it again."
    AUTOMATION_JOB_LIMIT = 409, "The user has reached the limit of jobs."
    DEVICE_INVALID = 422, "A member of the device, or its id, which `detail` names, is invalid."
    DEVICE_KIND_UNSUPPORTED = 422, "The deployment sends nothing to devices of this kind."
    DEVICE_ENDPOINT_FORBIDDEN = 422, "The endpoint is not an https URL of a push service that the deployment sends to."
    DEVICE_OF_OTHER_USER = 409, "The subscription is registered by another user; subscribe again for a new one."
    DEVICE_LIMIT = 409, "The user has reached the limit of devices."
    MCP_CONNECTION_INVALID = 422, "A member of the request, which `detail` names, is invalid."
    MCP_CONNECTION_NOT_FOUND = 404, "There is no such connection: the id is none."
    MCP_CONNECTION_LIMIT = 409, "The user has reached the limit of connections to MCP servers."
    MCP_SERVER_NOT_FOUND = 404, "No agent of the deployment has an MCP server of this name that users sign in to."
    MCP_NOT_CONNECTED = (
        409,
        "A tool call needs a sign-in of the user to its MCP server; the call's result has this code, no response.",
    )
    MCP_SIGN_IN_NOT_FOUND = 404, "The state is unknown, was used, is another user's, or is too old; begin again."
    MCP_SIGN_IN_REFUSED = (
        409,
        "The user, or the authorization server, has refused the sign-in; `params.reason` says why.",
    )
    MCP_SIGN_IN_FAILED = (
        502,
        "The MCP server or its authorization server cannot be used for a sign-in; `params.reason` says why.",
    )
    WEBHOOK_INVALID = 422, "A member of the webhook, or of the request, is invalid; `detail` names it."
    WEBHOOK_NOT_FOUND = 404, "The webhook does not exist or was deleted."
    WEBHOOK_DELIVERY_NOT_FOUND = 404, "The webhook has no such delivery, or it has expired."
    WEBHOOK_DISABLED = 409, "The webhook is disabled; enable it first."
    WEBHOOK_LIMIT = 409, "The deployment, or the user, has reached the limit of webhooks."
    REQUEST_INVALID = 400, "The request is malformed."
    REQUEST_CONTENT_TYPE_UNSUPPORTED = 415, "The route does not accept the body's content type."
    REQUEST_ORIGIN_FORBIDDEN = 403, "Pages of this origin, or requests to this host name, may not use the route."
    REQUEST_METHOD_UNSUPPORTED = 405, "The route takes the method that `Allow` names."
    REQUEST_ACCEPT_UNSUPPORTED = 406, "The route answers in other content types than `Accept` lists."
    REQUEST_TOO_LARGE = 413, "The request body is too large."
    REQUEST_THROTTLED = 429, "Too many requests."
    ROUTE_NOT_FOUND = 404, "The route does not exist or does not allow this method."
    SERVICE_TIMEOUT = 504, "The service took too long."
    SERVICE_UNAVAILABLE = 503, "A backing service is busy or unavailable; repeat the request."
    INTERNAL_ERROR = 500, "The service failed; find the cause in its logs by `traceId`."

    def __init__(self, status: int, meaning: str) -> None:
        self.status = status
        self.meaning = meaning


@dataclass(frozen=True, slots=True)
class AgentCode:
    """A code of an agent's own, for a request that its rules refuse.

    Its package declares it under the entry point group `yarrow.error_codes`. Raises ValueError for a name that is not
    `AGENT_…` in upper case or is one of `Code`, and for a status that is no client error.
    """

    name: str
    status: int
    meaning: str
    """A sentence for people."""

    def __post_init__(self) -> None:
        if not re.fullmatch(r"AGENT(_[A-Z]+)+", self.name) or self.name in Code.__members__:
            raise ValueError(f"{self.name!r} cannot be the code of an agent")
        if not 400 <= self.status < 500:
            raise ValueError(f"{self.status} is not the status of a client's error")


ProblemCode: TypeAlias = Code | AgentCode


class Problem(Exception):
    """A client error. `detail` is public, `params` machine-readable; `status` overrides the code's; `retry_after` is in
    seconds.
    """

    def __init__(
        self,
        code: ProblemCode,
        detail: str,
        *,
        params: Mapping[str, Any] | None = None,
        status: int | None = None,
        retry_after: int | None = None,
    ) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.params = params
        self.status = status or code.status
        self.retry_after = retry_after

    def document(self, *, instance: str | None = None, trace_id: str | None = None) -> dict[str, Any]:
        """Return the problem's JSON (ERR-02)."""
        body: dict[str, Any] = {
            "type": "about:blank",
            "title": _TITLES.get(self.status) or HTTPStatus(self.status).phrase,
            "status": self.status,
            "detail": self.detail,
            "code": self.code.name,
        }
        if self.params:
            body["params"] = dict(self.params)
        if instance is not None:
            body["instance"] = instance
        if trace_id is not None:
            body["traceId"] = trace_id
        return body
