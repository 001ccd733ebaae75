"""Events that invoke a remote runner's Lambda function.

It answers in lines of JSON: one ListAgentRunnersResponse, or AgentRunResults (RNR-01, RNR-13).
"""

from typing import Annotated, Any, Final, Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

from yarrow.protocol.runner.models import AgentRunRequest
from yarrow.protocol.runner.questions import Question

MAX_CALLS: Final = 16
"""Calls at once, as the host allows them."""

TURN_ENDED: Final = "turn.ended"
"""The type of a last line by which a function hands its run over; `until` in its data is when to go on, if not now."""


MESSAGES_TAKEN: Final = "messages.taken"
"""The type of a line by which a function says that its runner has taken messages of the user, for its host to show."""


class Callback(BaseModel):
    """Where the function calls its host. From `limit_at` on it begins no call, and at `stop_at` it ends: then the host
    stops listening. Both are in seconds since the epoch, null if the run's deadline comes first.
    """

    model_config = ConfigDict(extra="ignore", frozen=True)

    url: str
    token: Annotated[str, Field(repr=False)]
    limit_at: float | None = None
    stop_at: float | None = None


class RemoteQuestion(BaseModel):
    """A question that the function's runner waits for, and how many equal ones it has asked, including this one."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    question: Question
    occurrence: Annotated[int, Field(ge=1, le=9_999)]


class RemoteCall(BaseModel):
    """A call of a tool that waits for the user's approval, and how many equal ones the runner has made."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    arguments: dict[str, Any]
    occurrence: Annotated[int, Field(ge=1, le=9_999)]


class TurnEnded(BaseModel):
    """The data of TURN_ENDED. If the runner waits for its user, the run ends and their answers start one that goes on.

    `calls` wait for approval.
    """

    model_config = ConfigDict(extra="ignore", frozen=True)

    until: AwareDatetime | None = None
    asked: tuple[RemoteQuestion, ...] = ()
    calls: Annotated[tuple[RemoteCall, ...], Field(max_length=MAX_CALLS)] = ()


class ListAgentRunners(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)

    action: Literal["LIST_AGENT_RUNNERS"] = "LIST_AGENT_RUNNERS"


class RunAgent(AgentRunRequest):
    """`traceparent` is W3C's header: the host's span, as the parent of the function's own."""

    action: Literal["RUN_AGENT"] = "RUN_AGENT"
    callback: Callback
    traceparent: str | None = None
