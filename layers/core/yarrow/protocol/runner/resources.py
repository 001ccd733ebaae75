"""What a run may use (`agent-runner.md` §3, §4; RNR-07, RNR-08, RNR-25)."""

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
    """What a runner requests (RNR-07)."""

    models: tuple[ModelOperation, ...] = ()
    tools: tuple[ToolOperation, ...] = ()
    knowledge_bases: tuple[KnowledgeOperation, ...] = ()
    history: tuple[HistoryOperation, ...] = ()
    events: tuple[EventOperation, ...] = ()
    artifacts: tuple[ArtifactOperation, ...] = ()
    storage: tuple[StorageArea, ...] = ()
    platform_api: tuple[str, ...] = ()


class ModelResource(_Granted):
    """The id is opaque."""

    model_id: str
    model_type: Literal["llm", "rerank"] = "llm"
    operations: tuple[str, ...] = ()


class ToolResource(_Granted):
    """A `frontend` tool is executed by the client (RNR-53)."""

    tool_name: str
    tool_type: Literal["backend", "frontend"] = "backend"
    description: str | None = None
    parameters: dict[str, Any] | None = None
    operations: tuple[str, ...] = ()


class KnowledgeBaseResource(_Granted):
    kb_id: str
    kb_name: str | None = None


class ArtifactResource(_Granted):
    artifact_id: str
    operations: tuple[str, ...] = ()


class StorageResource(_Granted):
    """The permitted areas."""

    plugin: bool = False
    workspace: bool = False
    binding: bool = False


class HistoryResource(_Granted):
    """The permitted reads."""

    page: bool = False
    search: bool = False
    scope: Literal["conversation"] = "conversation"


class AgentResources(_Granted):
    """The resources of a run, fixed at its start (RNR-08, RNR-25)."""

    models: tuple[ModelResource, ...] = ()
    tools: tuple[ToolResource, ...] = ()
    knowledge_bases: tuple[KnowledgeBaseResource, ...] = ()
    artifacts: tuple[ArtifactResource, ...] = ()
    storage: StorageResource = StorageResource()
    history: HistoryResource = HistoryResource()
    platform_capabilities: dict[str, Any] = {}
