"""How a remote runner calls its host's actions.

It POSTs the arguments to `{callback url}/{action}`, signed for IAM, with the run's token. `models.stream` answers in
StreamLines, other actions with one document, refusals with an AgentAPIError.
"""

from typing import Any, Final

from pydantic import BaseModel, ConfigDict

from yarrow.protocol.runner.errors import AgentAPIError

LINES: Final = "application/x-ndjson"
"""The media type of streamed answers, the function's own included."""

TOKEN_HEADER: Final = "X-Yarrow-Run-Token"  # noqa: S105 - a header's name


class StreamLine(BaseModel):
    """One line of a streamed answer: a document, or last an error or `complete`."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    document: dict[str, Any] | None = None
    error: AgentAPIError | None = None
    complete: bool = False
