"""Errors of several namespaces, with public messages (`agent-runner.md` §8, RNR-62)."""

from pydantic import BaseModel, ValidationError

from yarrow.protocol.runner.api import AgentAPIException
from yarrow.store.table import is_busy


def not_found() -> AgentAPIException:
    """The resource is missing or not granted; the caller cannot tell which (RNR-63)."""
    return AgentAPIException("not_found", "there is no such resource, or this run may not use it")


def no_run() -> AgentAPIException:
    """The run is unknown, has ended or is another caller's (RNR-50, RNR-51, RNR-64)."""
    return AgentAPIException("unauthorized", "the caller has no active run of this id")


def unauthorized(what: str) -> AgentAPIException:
    return AgentAPIException("unauthorized", f"{what} is not granted to this run")


def invalid_argument(member: str, why: str) -> AgentAPIException:
    return AgentAPIException("invalid_argument", f"{member}: {why}", member=member)


def invalid(error: ValidationError, model: type[BaseModel], *, within: str = "arguments") -> AgentAPIException:
    """Return a model's first validation error, which names the member, never a value."""
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    member = first["loc"][0] if first["loc"] else None
    known = isinstance(member, str) and member in model.model_fields
    return invalid_argument(str(member) if known else within, first["msg"])


def too_large(what: str, limit: int) -> AgentAPIException:
    return AgentAPIException("payload_too_large", f"{what} must have at most {limit} bytes", limit=limit)


def failed(error: Exception) -> AgentAPIException:
    """An internal failure; only `retryable` is public."""
    return AgentAPIException("runtime_error", "the host failed to execute the action", retryable=is_busy(error))
