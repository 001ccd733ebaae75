"""The exceptions of actions (`agent-runner.md` §8, RNR-62)."""

from typing import TYPE_CHECKING, Any

from yarrow.protocol.runner.vocabulary import ErrorCode

if TYPE_CHECKING:
    from yarrow.protocol.runner.api_error import AgentAPIError


class AgentAPIException(Exception):
    def __init__(self, code: ErrorCode, message: str, *, retryable: bool = False, **details: Any) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message
        self.retryable = retryable
        self.details = details

    @classmethod
    def of(cls, error: "AgentAPIError") -> "AgentAPIException":
        """Return the exception of an error that was answered or stored."""
        exception = cls(error.code, error.message, retryable=error.retryable)
        exception.details = error.details
        return exception

    @property
    def error(self) -> "AgentAPIError":
        """The error as it is answered."""
        from yarrow.protocol.runner.api_error import AgentAPIError  # the store, which raises these, needs no models

        return AgentAPIError(code=self.code, message=self.message, retryable=self.retryable, details=self.details)
