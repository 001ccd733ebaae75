"""Why an action that a runner asked of its host failed.

Source: `agent-runner.md` §8 (RNR-62). It stands apart from the actions (`runner_api`) for whoever may refuse one and
needs no other shape of it.
"""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

ErrorCode = Literal[
    "unauthorized",
    "not_found",
    "deadline_exceeded",
    "payload_too_large",
    "rate_limited",
    "invalid_argument",
    "runtime_error",
]
"""Every code an action may fail with (RNR-62)."""


class AgentAPIError(BaseModel):
    """Why an action failed (RNR-62)."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    code: ErrorCode
    message: str
    retryable: bool = False
    details: dict[str, Any] = {}


class AgentAPIException(Exception):
    """What a runner's call raises when its action failed."""

    def __init__(self, code: ErrorCode, message: str, *, retryable: bool = False, **details: Any) -> None:
        super().__init__(f"{code}: {message}")
        self.error = AgentAPIError(code=code, message=message, retryable=retryable, details=details)
