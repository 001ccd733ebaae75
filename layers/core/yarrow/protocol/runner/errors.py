"""Errors of actions (`agent-runner.md` §8, RNR-62)."""

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


class AgentAPIError(BaseModel):
    """A failed action (RNR-62)."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    code: ErrorCode
    message: str
    retryable: bool = False
    details: dict[str, Any] = {}


class AgentAPIException(Exception):
    def __init__(self, code: ErrorCode, message: str, *, retryable: bool = False, **details: Any) -> None:
        super().__init__(f"{code}: {message}")
        self.error = AgentAPIError(code=code, message=message, retryable=retryable, details=details)
