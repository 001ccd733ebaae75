"""The calls of a remote runner to its host's actions.

They are POST requests to `{callback url}/{action}`, signed for IAM, with the run's token. `models.stream` answers in
StreamLines, others with a document or an AgentAPIError.
"""

from typing import Any, Final

from pydantic import BaseModel, ConfigDict

from yarrow.protocol.runner.api_error import AgentAPIError

LINES: Final = "application/x-ndjson"
"""The content type of streams, and of the function's own answer."""

OCCURRENCE_HEADER: Final = "X-Yarrow-Occurrence"
"""The number of equal calls that the runner has made, including this one. It distinguishes steps, since several
processes of the host may answer (STP-01); a call without it is no step.
"""

TOKEN_HEADER: Final = "X-Yarrow-Run-Token"  # noqa: S105 - a header's name


class StreamLine(BaseModel):
    """The last is an error or `complete`."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    document: dict[str, Any] | None = None
    error: AgentAPIError | None = None
    complete: bool = False
