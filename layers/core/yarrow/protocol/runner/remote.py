"""Events that invoke a remote runner's Lambda function.

It answers in lines of JSON: one ListAgentRunnersResponse, or AgentRunResults (RNR-01, RNR-13).
"""

from typing import Annotated, Final, Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

from yarrow.protocol.runner.models import AgentRunRequest
from yarrow.protocol.runner.questions import Question

TURN_ENDED: Final = "turn.ended"
"""The type of a last line by which a function hands its run over; `until` in its data is when to go on, if not now."""


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


class TurnEnded(BaseModel):
    """The data of TURN_ENDED. If there are questions, the run ends and its user's answers start one that goes on."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    until: AwareDatetime | None = None
    asked: tuple[RemoteQuestion, ...] = ()


class ListAgentRunners(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)

    action: Literal["LIST_AGENT_RUNNERS"] = "LIST_AGENT_RUNNERS"


class RunAgent(AgentRunRequest):
    action: Literal["RUN_AGENT"] = "RUN_AGENT"
    callback: Callback
