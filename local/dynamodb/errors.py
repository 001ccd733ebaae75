"""Errors of operations, as DynamoDB tells them."""

from typing import Any


class OperationError(Exception):
    """`members` are further ones of the error's answer."""

    def __init__(self, code: str, message: str, **members: Any) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.members = members


def invalid(message: str) -> OperationError:
    """A request that is wrong in itself, or that asks for what is not here."""
    return OperationError("ValidationException", message)
