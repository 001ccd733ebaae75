"""How a runner in a Lambda function of its own calls actions of its host, while it runs.

A call is a POST of the arguments to `{callback url}/{action}`, signed for AWS's IAM, with the run's token in a header.
`models.stream` answers in lines, each a StreamLine, every other action with one document, and what is refused with an
AgentAPIError. The events that the function itself is invoked with are in `runner_remote`.
"""

from typing import Any, Final

from pydantic import BaseModel, ConfigDict

from yarrow.protocol.runner.errors import AgentAPIError

LINES: Final = "application/x-ndjson"
"""The media type of an answer in lines, the function's own included."""

TOKEN_HEADER: Final = "X-Yarrow-Run-Token"  # noqa: S105 - a header's name


class StreamLine(BaseModel):
    """One line of an action's streamed answer: a document, or the last of all: an error, or that it is complete."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    document: dict[str, Any] | None = None
    error: AgentAPIError | None = None
    complete: bool = False
