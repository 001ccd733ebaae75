"""How a remote runner calls its host's actions.

POST to `{callback url}/{action}`, signed for IAM, with the run's token. `models.stream` answers in StreamLines, others
with a document or an AgentAPIError.
"""

from typing import Any, Final

from pydantic import BaseModel, ConfigDict

from yarrow.protocol.runner.api_error import AgentAPIError

LINES: Final = "application/x-ndjson"
"""Also of the function's own answer."""

OCCURRENCE_HEADER: Final = "X-Yarrow-Occurrence"
"""How many equal calls the runner has made, with this one. It tells steps apart, as several processes of the host may
answer (STP-01); a call without it is no step.
"""

TOKEN_HEADER: Final = "X-Yarrow-Run-Token"  # noqa: S105 - a header's name


class StreamLine(BaseModel):
    """The last is an error or `complete`."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    document: dict[str, Any] | None = None
    error: AgentAPIError | None = None
    complete: bool = False
