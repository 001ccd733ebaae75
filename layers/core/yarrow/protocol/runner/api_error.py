"""A failed action as it is answered (`agent-runner.md` §8, RNR-62)."""

from typing import Any

from pydantic import BaseModel, ConfigDict

from yarrow.protocol.runner.vocabulary import ErrorCode


class AgentAPIError(BaseModel):
    """A failed action (RNR-62)."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    code: ErrorCode
    message: str
    retryable: bool = False
    details: dict[str, Any] = {}
