"""What goes between the host and a runner in a Lambda function of its own: its function's events, and the way back.

The function is invoked with LIST_AGENT_RUNNERS or RUN_AGENT and answers in lines, each a JSON document: one
ListAgentRunnersResponse, or an AgentRunResult each (RNR-01, RNR-13). Meanwhile it may call actions: a POST of the
arguments to `{callback url}/{action}`, signed for AWS's IAM, with the run's token in a header. `models.stream` answers
in lines too, each a StreamLine, every other action with one document, and what is refused with an AgentAPIError.
"""

from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from yarrow.protocol.runner import AgentRunRequest
from yarrow.protocol.runner_api import AgentAPIError

LINES: Final = "application/x-ndjson"
"""The media type of an answer in lines."""

TOKEN_HEADER: Final = "X-Yarrow-Run-Token"  # noqa: S105 - a header's name


class Callback(BaseModel):
    """Where a run's actions are called, and the token they need."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    url: str
    token: Annotated[str, Field(repr=False)]


class ListAgentRunners(BaseModel):
    """The event that asks which runners there are."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    action: Literal["LIST_AGENT_RUNNERS"] = "LIST_AGENT_RUNNERS"


class RunAgent(AgentRunRequest):
    """The event that asks for a run."""

    action: Literal["RUN_AGENT"] = "RUN_AGENT"
    callback: Callback


class StreamLine(BaseModel):
    """One line of an action's streamed answer: a document, or the last of all: an error, or that it is complete."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    document: dict[str, Any] | None = None
    error: AgentAPIError | None = None
    complete: bool = False
