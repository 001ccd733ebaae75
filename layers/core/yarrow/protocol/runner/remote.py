"""Events that invoke a remote runner's Lambda function.

It answers in lines of JSON: one ListAgentRunnersResponse, or AgentRunResults (RNR-01, RNR-13).
"""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from yarrow.protocol.runner.models import AgentRunRequest


class Callback(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)

    url: str
    token: Annotated[str, Field(repr=False)]


class ListAgentRunners(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)

    action: Literal["LIST_AGENT_RUNNERS"] = "LIST_AGENT_RUNNERS"


class RunAgent(AgentRunRequest):
    action: Literal["RUN_AGENT"] = "RUN_AGENT"
    callback: Callback
