"""The registry of error codes and the one exception that carries them.

Every error a client can see is a `Problem`: an RFC 9457 (7807) problem with a stable, upper-case `code` (ERR-01 …
ERR-12). Codes are added, never renamed or removed (ERR-03). What turns a Problem into HTTP is in `yarrow.web`.
"""

from collections.abc import Mapping
from enum import Enum
from http import HTTPStatus
from typing import Any

# As RFC 9110 names them; Python before 3.13 has the older phrases.
_TITLES = {413: "Content Too Large", 422: "Unprocessable Content"}


class Code(Enum):
    """A registered error code: its usual HTTP status and what it means."""

    AUTH_UNAUTHORIZED = 401, "The credential is missing or not valid."
    AGENT_FORBIDDEN = 403, "The thread belongs to another user, or the credential does not open this route."
    AGENT_SESSION_NOT_FOUND = 404, "There is no such session, or it was deleted."
    AGENT_RUN_NOT_FOUND = 404, "The session has no such run."
    AGENT_SESSION_ID_INVALID = 422, "The thread id in the path or query is not a UUID."
    AGENT_INVALID_RUN_ID = 422, "The runId query parameter is missing or not valid."
    AGENT_INVALID_LAST_EVENT_ID = 422, "Last-Event-ID is not a cursor of this run."
    AGENT_EVENTS_QUERY_INVALID = 422, "A query parameter of the events request is not valid."
    AGENT_RUN_EVENTS_EXPIRED = 410, "The events of the run are no longer kept; its answer is in the history."
    AGENT_SSE_CONNECTION_LIMIT = 429, "The user has as many open event streams as are allowed."
    AGENT_RUN_INPUT_INVALID = 422, "The run input breaks a rule that `detail` names."
    AGENT_RUN_MESSAGES_INVALID = 422, "The messages of the run input break a rule that `detail` names."
    AGENT_RUNTIME_MODE_INVALID = 422, "forwardedProps.runtime_mode is missing or not allowed for the agent."
    AGENT_DIVINATION_PAYLOAD_MISMATCH = 422, "A follow-up brings another divinationPayload than the session's cast."
    AGENT_DIVINATION_PAYLOAD_REQUIRED = 422, "A run of the divination agent needs forwardedProps.divinationPayload."
    AGENT_RUN_CONFLICT = 409, "The runId was used before in this session with another body."
    AGENT_RUN_IN_PROGRESS = 409, "The session has an active run."
    AGENT_BRANCH_LIMIT = 409, "The session was branched too often; begin another one."
    AGENT_RUN_LIMIT = 429, "The user has as many active runs as are allowed."
    AGENT_TOKEN_LIMIT = 429, "Models have used as many tokens for the user today, in UTC, as are allowed."
    AGENT_RATE_LIMIT = 429, "The user asks for more a minute than is allowed; `Retry-After` says when there is room."
    AGENT_HISTORY_QUERY_INVALID = 422, "A query parameter of the history request is not valid."
    AGENT_ATTACHMENT_INVALID = 422, "The upload or the query lacks something or cannot be read; `detail` says what."
    AGENT_ATTACHMENT_EMPTY = 422, "The file has no bytes."
    AGENT_ATTACHMENT_TOO_LARGE = 413, "The file has more bytes than an attachment may have."
    AGENT_ATTACHMENT_TYPE_UNSUPPORTED = 415, "The file is said to be a picture and is none of a known type."
    AGENT_ATTACHMENT_NOT_FOUND = 404, "There is no such upload: none arrived, it was refused, or it is long ago."
    AGENT_ATTACHMENT_STORAGE_UNAVAILABLE = 503, "The file could not be stored or read; the request may be sent again."
    AGENT_ATTACHMENT_BUCKET_INVALID = 422, "There is no such bucket for attachments."
    AGENT_ATTACHMENT_PATH_SCOPE_INVALID = 403, "The path is not that of an attachment of the caller."
    AGENT_SIGNED_URL_GENERATION_FAILED = 502, "A URL could not be signed; the request may be sent again."
    AGENT_AUDIO_INVALID = 422, "The form has no recording or cannot be read; `detail` says what."
    AGENT_AUDIO_UNSUPPORTED_FORMAT = 400, "The recording is not a WAV of a kind that can be read; `detail` says why."
    AGENT_AUDIO_EMPTY = 400, "The recording has no bytes, or no samples."
    AGENT_AUDIO_TOO_LARGE = 400, "The recording has more bytes than a recording may have."
    AGENT_AUDIO_TOO_LONG = 400, "The recording is longer than a recording may be."
    AGENT_AUDIO_NOT_FOUND = 404, "There is no such recording: none arrived, it was refused, or it is long ago."
    AGENT_ASR_UNAVAILABLE = 502, "The speech could not be recognised; `detail` says why as far as it is known."
    AGENT_ASR_FAILED = 422, "The speech could not be recognised in several tries; another recording may be sent."
    AGENT_ASR_IN_PROGRESS = 409, "The recording is being recognised; the same request may be sent again in a while."
    AGENT_ASR_LIMIT = 429, "The user has had as much speech recognised today, in UTC, as is allowed."
    REQUEST_INVALID = 400, "The request could not be read."
    REQUEST_CONTENT_TYPE_UNSUPPORTED = 415, "The body has a content type that this route does not read."
    REQUEST_TOO_LARGE = 413, "The request body is too large."
    REQUEST_THROTTLED = 429, "Too many requests."
    ROUTE_NOT_FOUND = 404, "There is no such route, or it does not take this method."
    SERVICE_TIMEOUT = 504, "The service took too long."
    SERVICE_UNAVAILABLE = 503, "A backing service is busy or unavailable; the same request may be sent again."
    INTERNAL_ERROR = 500, "The service failed; `traceId` finds the cause in its logs."

    def __init__(self, status: int, meaning: str) -> None:
        self.status = status
        self.meaning = meaning


class Problem(Exception):
    """An error for the client.

    `detail` is one public sentence without internals; `params` are machine-readable facts about it. `status` differs
    from the code's own only where a requirement says so. `retry_after` is in seconds.
    """

    def __init__(
        self,
        code: Code,
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
        """The problem+json body (ERR-02): type, title, status, detail, code, params?, instance?, traceId?."""
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
