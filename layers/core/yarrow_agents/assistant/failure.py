"""The assistant's failures: public codes and messages."""

from typing import Any

from yarrow.protocol.runner.api import AgentAPIError


class AssistantFailedError(Exception):
    """The run fails with this `run.failed` (RNR-40)."""

    def __init__(self, code: str, message: str, *, retryable: bool = False) -> None:
        super().__init__(message)
        self.data: dict[str, Any] = {"code": code, "message": message, "retryable": retryable}


def no_model() -> AssistantFailedError:
    return AssistantFailedError("runner.no_model", "the assistant has no model")


def misconfigured() -> AssistantFailedError:
    return AssistantFailedError("runner.misconfigured", "the assistant is misconfigured")


def no_answer() -> AssistantFailedError:
    return AssistantFailedError("model.no_answer", "the model gave no answer", retryable=True)


def unfinished(reason: str) -> AssistantFailedError:
    """Return the failure of a model that stopped before any text, at its length limit or by a content filter."""
    if reason == "length":
        return AssistantFailedError("model.length", "the model's answer exceeded its length limit")
    return AssistantFailedError("model.content_filter", "the model's provider withheld the answer")


def too_many_steps() -> AssistantFailedError:
    return AssistantFailedError("runner.too_many_steps", "the assistant took too many steps")


def of_model(error: AgentAPIError) -> AssistantFailedError:
    """Return the failure of a model call; the host's error text is public (RNR-62)."""
    return AssistantFailedError(f"model.{error.code}", error.message, retryable=error.retryable)
