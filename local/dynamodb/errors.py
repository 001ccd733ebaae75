"""DynamoDB's errors."""

from typing import Any


class OperationError(Exception):
    """An operation failed; `members` are added to the error response."""

    def __init__(self, code: str, message: str, **members: Any) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.members = members


def invalid(message: str) -> OperationError:
    """Return a ValidationException: the request is invalid or not supported."""
    return OperationError("ValidationException", message)
