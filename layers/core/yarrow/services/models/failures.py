"""Provider failures as public errors. Only code and status are logged: the provider's text may quote messages."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, NamedTuple

from pydantic_ai import exceptions

from yarrow.observability.logs import logger
from yarrow.protocol.runner.api import AgentAPIException, ErrorCode


class _Public(NamedTuple):
    code: ErrorCode
    message: str
    retryable: bool = False


_PUBLIC: Final[tuple[tuple[type[Exception], _Public], ...]] = (
    (exceptions.ModelRequestTimeout, _Public("deadline_exceeded", "The model did not answer in time.")),
    (exceptions.ModelTimeoutError, _Public("deadline_exceeded", "The model did not answer in time.", retryable=True)),
    (exceptions.ModelRateLimitError, _Public("rate_limited", "The model is busy.", retryable=True)),
    (exceptions.ModelQuotaExceededError, _Public("rate_limited", "The model's quota is used up.")),
    (exceptions.ModelContextWindowExceededError, _Public("payload_too_large", "The input is too long for the model.")),
    (exceptions.ModelAuthenticationError, _Public("runtime_error", "The model cannot be reached.")),
    (exceptions.ModelNotFoundError, _Public("runtime_error", "The model cannot be reached.")),
    (exceptions.ModelRequestRejectedError, _Public("invalid_argument", "The model did not accept the request.")),
    (exceptions.UserError, _Public("invalid_argument", "The model does not support this request.")),
    (exceptions.ModelUnavailableError, _Public("runtime_error", "The model is not available.", retryable=True)),
    (exceptions.ModelServerError, _Public("runtime_error", "The model failed.", retryable=True)),
    (exceptions.ModelConnectionError, _Public("runtime_error", "The model cannot be reached.", retryable=True)),
    (exceptions.ModelHTTPError, _Public("runtime_error", "The model failed.")),
    (exceptions.ModelAPIError, _Public("runtime_error", "The model's answer was cut off.", retryable=True)),
    (Exception, _Public("runtime_error", "The model failed.")),
)
"""The first matching class decides. ModelAPIError without kind or status means a truncated or unreadable answer."""


@contextmanager
def public(model: str) -> Iterator[None]:
    """Log a provider's exception and raise it as an AgentAPIException (RNR-62)."""
    try:
        yield
    except AgentAPIException:
        raise
    except Exception as error:  # noqa: BLE001 - each provider's client has exceptions of its own
        failure = next(public for kind, public in _PUBLIC if isinstance(error, kind))
        seen = {
            "model": model,
            "error": type(error).__name__,
            "cause": type(error.__cause__).__name__,
            "status": getattr(error, "status_code", None),
            "provider_code": getattr(error, "provider_error_code", None),
        }
        logger.warning("a model failed", extra=seen)
        wait = getattr(error, "retry_after", None)
        details = {} if wait is None else {"retry_after_seconds": wait}
        raise AgentAPIException(failure.code, failure.message, retryable=failure.retryable, **details) from None
