"""Exceptions for the log: type, facts and stack, without the message.

Messages quote input: pydantic the value, botocore and httpx2 the URL, a runner the user.
"""

import traceback
from collections.abc import Iterator
from typing import Final

_MAX_CAUSES: Final = 8
_MAX_INVALID: Final = 5


def in_brief(error: BaseException) -> str:
    """Return type, facts and stack of the exception and its causes, latest first."""
    return "\ncaused by ".join("\n".join([_headline(cause), *_stack(cause)]) for cause in _causes(error))


def messages_of(error: BaseException) -> list[tuple[str, str]]:
    """Return types and messages, not yet redacted; pydantic's messages are left out, as they quote input."""
    return [(type(cause).__name__, "" if _is_pydantics(cause) else str(cause)) for cause in _causes(error)]


def _causes(error: BaseException) -> Iterator[BaseException]:
    current: BaseException | None = error
    for _ in range(_MAX_CAUSES):
        if current is None:
            return
        yield current
        current = current.__cause__ or (None if current.__suppress_context__ else current.__context__)


def _stack(error: BaseException) -> list[str]:
    return [line.rstrip("\n") for line in traceback.format_tb(error.__traceback__)]


def _headline(error: BaseException) -> str:
    return " ".join([type(error).__name__, *(f"{name}={value}" for name, value in _facts(error) if value is not None)])


def _facts(error: BaseException) -> Iterator[tuple[str, object]]:
    """Yield what is safe to log, by duck typing: the exceptions' packages may not be loaded."""
    match getattr(error, "response", None):  # botocore
        case {"Error": {"Code": str(code)}, **rest}:
            yield "code", code
            yield "operation", getattr(error, "operation_name", None)
            match rest:
                case {"ResponseMetadata": {"RequestId": str(request_id)}}:
                    yield "aws_request_id", request_id
    status = getattr(error, "status_code", None)  # model providers
    yield "status", status if isinstance(status, int) else None
    if isinstance(error, OSError):
        yield "errno", error.errno
    if _is_pydantics(error):
        yield "invalid", ",".join(_kinds_of_invalid(error)) or None
    if isinstance(error, BaseExceptionGroup):
        yield "of", ",".join(type(exception).__name__ for exception in error.exceptions)


def _is_pydantics(error: BaseException) -> bool:
    return type(error).__module__.startswith("pydantic_core")


def _kinds_of_invalid(error: BaseException) -> Iterator[str]:
    errors = getattr(error, "errors", None)
    if callable(errors):
        yield from (detail["type"] for detail in errors(include_url=False, include_input=False)[:_MAX_INVALID])
