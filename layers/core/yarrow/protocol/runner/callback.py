"""How a remote runner calls its host's actions.

POST to `{callback url}/{action}`, signed for IAM, with the run's token. `models.stream` answers in StreamLines, others
with a document or an AgentAPIError.
"""

from typing import Any, Final

from pydantic import BaseModel, ConfigDict

from yarrow.protocol.runner.api_error import AgentAPIError

LINES: Final = "application/x-ndjson"
"""Also of the function's own answer."""

TOKEN_HEADER: Final = "X-Yarrow-Run-Token"  # noqa: S105 - a header's name


class StreamLine(BaseModel):
    """The last is an error or `complete`."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    document: dict[str, Any] | None = None
    error: AgentAPIError | None = None
    complete: bool = False
