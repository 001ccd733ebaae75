"""How the assistant gives up: public codes and words, and nothing of what went wrong inside."""

from typing import Any

from yarrow.protocol.runner.api import AgentAPIError


class GaveUpError(Exception):
    """The run cannot go on. `code`, `message` and `retryable` are those of `run.failed` (RNR-40)."""

    def __init__(self, code: str, message: str, *, retryable: bool = False) -> None:
        super().__init__(message)
        self.data: dict[str, Any] = {"code": code, "message": message, "retryable": retryable}


def no_model() -> GaveUpError:
    """The run was granted none."""
    return GaveUpError("runner.no_model", "the assistant has no model")


def misconfigured() -> GaveUpError:
    """The agent's config is not one of the assistant's."""
    return GaveUpError("runner.misconfigured", "the assistant is misconfigured")


def no_answer() -> GaveUpError:
    """The model ended without a word."""
    return GaveUpError("model.no_answer", "the model gave no answer", retryable=True)


def too_many_steps() -> GaveUpError:
    """The model went on asking for tools."""
    return GaveUpError("runner.too_many_steps", "the assistant took too many steps")


def of_model(error: AgentAPIError) -> GaveUpError:
    """What the host says of a model that failed, whose words are public (RNR-62)."""
    return GaveUpError(f"model.{error.code}", error.message, retryable=error.retryable)
