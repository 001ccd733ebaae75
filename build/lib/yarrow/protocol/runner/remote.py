"""The events that invoke a remote runner's Lambda function.

It answers LIST_AGENT_RUNNERS or RUN_AGENT in lines of JSON: one ListAgentRunnersResponse, or AgentRunResults (RNR-01,
RNR-13). It calls its host by `callback`.
"""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from yarrow.protocol.runner.models import AgentRunRequest


class Callback(BaseModel):
    """The URL of a run's actions, and its token."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    url: str
    token: Annotated[str, Field(repr=False)]


class ListAgentRunners(BaseModel):
    """The event that lists the runners."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    action: Literal["LIST_AGENT_RUNNERS"] = "LIST_AGENT_RUNNERS"


class RunAgent(AgentRunRequest):
    """The event that starts a run."""

    action: Literal["RUN_AGENT"] = "RUN_AGENT"
    callback: Callback
