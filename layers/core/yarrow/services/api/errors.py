"""The errors of the API that are told in more than one place. Their messages are public and carry nothing of a call.

Source: `agent-runner.md` §8 (RNR-62).
"""

from pydantic import BaseModel, ValidationError

from yarrow.protocol.runner.api import AgentAPIException
from yarrow.store.table import is_busy


def not_found() -> AgentAPIException:
    """What is not there and what this run may not see: nobody can tell one from the other (RNR-63)."""
    return AgentAPIException("not_found", "there is no such resource, or this run may not use it")


def no_run() -> AgentAPIException:
    """The call names no run, one that is over, or one that is not its caller's (RNR-50, RNR-51, RNR-64)."""
    return AgentAPIException("unauthorized", "the caller has no active run of this id")


def unauthorized(what: str) -> AgentAPIException:
    """The run's grant does not cover what is asked for."""
    return AgentAPIException("unauthorized", f"{what} is not granted to this run")


def invalid_argument(member: str, why: str) -> AgentAPIException:
    """A member of the arguments breaks a rule."""
    return AgentAPIException("invalid_argument", f"{member}: {why}", member=member)


def invalid(error: ValidationError, model: type[BaseModel], *, within: str = "arguments") -> AgentAPIException:
    """The first rule of a model that was broken. A member is named if the model has it; no value is, ever."""
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    member = first["loc"][0] if first["loc"] else None
    known = isinstance(member, str) and member in model.model_fields
    return invalid_argument(str(member) if known else within, first["msg"])


def too_large(what: str, limit: int) -> AgentAPIException:
    """More bytes than the host takes or gives at once."""
    return AgentAPIException("payload_too_large", f"{what} may have {limit} bytes", limit=limit)


def failed(error: Exception) -> AgentAPIException:
    """What went wrong in the host itself, of which nothing is told but whether the same may work later."""
    return AgentAPIException("runtime_error", "the host could not do this", retryable=is_busy(error))
