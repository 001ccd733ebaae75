"""The events of a runner in a Lambda function of its own, which its host invokes.

The function is invoked with LIST_AGENT_RUNNERS or RUN_AGENT and answers in lines, each a JSON document: one
ListAgentRunnersResponse, or an AgentRunResult each (RNR-01, RNR-13). Meanwhile it may call its host: `runner_callback`.
"""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from yarrow.protocol.runner.models import AgentRunRequest


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
