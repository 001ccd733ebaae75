"""What one run may do and use of its host, by kind of resource: the result of its authorisation.

Source: `agent-runner.md` §3 and §4 (RNR-07, RNR-08, RNR-25). It stands apart from the rest of a manifest
(`runner_manifest`) and of a run's context (`runner`) for whoever answers the calls of a run and is given nothing else.
"""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from yarrow.protocol.runner.vocabulary import (
    ArtifactOperation,
    EventOperation,
    HistoryOperation,
    KnowledgeOperation,
    ModelOperation,
    StorageArea,
    ToolOperation,
)


class _Granted(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class AgentRunnerPermissions(_Granted):
    """The most a runner asks of the host, by kind of resource (RNR-07)."""

    models: tuple[ModelOperation, ...] = ()
    tools: tuple[ToolOperation, ...] = ()
    knowledge_bases: tuple[KnowledgeOperation, ...] = ()
    history: tuple[HistoryOperation, ...] = ()
    events: tuple[EventOperation, ...] = ()
    artifacts: tuple[ArtifactOperation, ...] = ()
    storage: tuple[StorageArea, ...] = ()
    platform_api: tuple[str, ...] = ()


class ModelResource(_Granted):
    """A model the run may use; the id is opaque to the runner."""

    model_id: str
    model_type: Literal["llm", "rerank"] = "llm"
    operations: tuple[str, ...] = ()


class ToolResource(_Granted):
    """A tool of the run. A `frontend` one is for a model to know of; the client executes it (RNR-53)."""

    tool_name: str
    tool_type: Literal["backend", "frontend"] = "backend"
    description: str | None = None
    parameters: dict[str, Any] | None = None
    operations: tuple[str, ...] = ()


class KnowledgeBaseResource(_Granted):
    """A knowledge base the run may search."""

    kb_id: str
    kb_name: str | None = None


class ArtifactResource(_Granted):
    """An artifact the run may read."""

    artifact_id: str
    operations: tuple[str, ...] = ()


class StorageResource(_Granted):
    """The areas of blob storage the run may use."""

    plugin: bool = False
    workspace: bool = False
    binding: bool = False


class HistoryResource(_Granted):
    """What of the conversation's history the run may read."""

    page: bool = False
    search: bool = False
    scope: Literal["conversation"] = "conversation"


class AgentResources(_Granted):
    """What this run may use: the result of its authorisation, frozen at its start (RNR-08, RNR-25)."""

    models: tuple[ModelResource, ...] = ()
    tools: tuple[ToolResource, ...] = ()
    knowledge_bases: tuple[KnowledgeBaseResource, ...] = ()
    artifacts: tuple[ArtifactResource, ...] = ()
    storage: StorageResource = StorageResource()
    history: HistoryResource = HistoryResource()
    platform_capabilities: dict[str, Any] = {}
