"""The policies in an agent's block: its resources, state, delivery, modes and workspace."""

from collections.abc import Sequence
from typing import Annotated, Final, Literal, Self, get_args

from pydantic import Field, JsonValue, StringConstraints, field_validator, model_validator

from yarrow.agents.tool_policies import Id, Listed, Policy, ToolPolicy
from yarrow.protocol.run_input.body import RuntimeMode
from yarrow.protocol.runner.vocabulary import (
    ArtifactOperation,
    EventOperation,
    HistoryOperation,
    ModelOperation,
    StateScope,
    StorageArea,
    WorkspaceEvent,
)

TaskName = Annotated[
    str,
    StringConstraints(
        pattern=r"^[^\s\x00-\x1f\x7f-\x9f]([^\x00-\x1f\x7f-\x9f]*[^\s\x00-\x1f\x7f-\x9f])?$", max_length=128
    ),
]

_HOST_EVENTS: Final = frozenset({"artifact.created", "action.requested"})
_HOST_PREFIXES: Final = ("yarrow.", "workspace.")
"""The names of the host's own CUSTOM events."""


def require_unique(what: str, names: Sequence[str]) -> None:
    """Raise ValueError if a name is repeated; `what` says where."""
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"{what} names {', '.join(twice)} twice")


class ModelPolicy(Listed):
    """A model and its operations.

    Without `stand_in` it is granted only if configured, not replaced by the scripted model.
    """

    stand_in: bool = True
    type: Literal["llm", "rerank"] = "llm"
    operations: Annotated[tuple[ModelOperation, ...], Field(min_length=1)] = get_args(ModelOperation)


class KnowledgeBasePolicy(Listed):
    """`name` is displayed."""

    name: str | None = None


class ActionPolicy(Policy):
    """An action that is granted only with the operator's approval (RNR-61)."""

    action: Id
    approved: bool = False


class ResourcePolicy(Policy):
    """The most that a run's resources may be."""

    models: tuple[ModelPolicy, ...] = ()
    tools: tuple[ToolPolicy, ...] = ()
    knowledge_bases: tuple[KnowledgeBasePolicy, ...] = ()
    history: tuple[HistoryOperation, ...] = ()
    events: tuple[EventOperation, ...] = ()
    artifacts: tuple[ArtifactOperation, ...] = ()
    storage: tuple[StorageArea, ...] = ()
    platform_actions: tuple[ActionPolicy, ...] = ()

    @model_validator(mode="after")
    def _check_unique(self) -> Self:
        for kind in ("models", "tools", "knowledge_bases"):
            require_unique(kind, [resource.id for resource in getattr(self, kind)])
        require_unique("platform_actions", [action.action for action in self.platform_actions])
        return self


class StatePolicy(Policy):
    """Scopes a runner may read and write."""

    enabled: bool = True
    scopes: tuple[StateScope, ...] = ("conversation", "actor")


class DeliveryPolicy(Policy):
    """`max_message_size` is in characters. Without `interactions`, what runners request is only shown as text.
    `custom_events` names CUSTOM events that the runner does not declare; `capabilities` are AG-UI's, as far as neither
    the runner nor the host says them.
    """

    surface: Id = "agui"
    streaming: bool = True
    shows_state: bool = False
    interactions: bool = True
    max_message_size: Annotated[int, Field(ge=1)] | None = None
    custom_events: Annotated[tuple[Id, ...], Field(max_length=50)] = ()
    capabilities: dict[str, JsonValue] = Field(default_factory=dict)

    @field_validator("capabilities")
    @classmethod
    def _check_capabilities(cls, document: dict[str, JsonValue]) -> dict[str, JsonValue]:
        if document:
            from yarrow.protocol.agui.capabilities import read_capabilities  # few agents have any

            read_capabilities(document)
        return document

    @field_validator("custom_events")
    @classmethod
    def _check_not_of_host(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        if own := [name for name in names if name in _HOST_EVENTS or name.startswith(_HOST_PREFIXES)]:
            raise ValueError(f"{own[0]} is an event of the host")
        return names


class ContextWindow(Policy):
    """The latest messages, exchanges or days."""

    source: Literal["latest_chat"] = "latest_chat"
    window_mode: Literal["number", "round", "day"]
    window_count: Annotated[int, Field(ge=1, le=1_000)]


class RuntimeConfig(Policy):
    """What the run's mode decides (FWD-11)."""

    enabled_tools: tuple[str, ...] = ()
    context: ContextWindow | None = None


class ModePolicy(Policy):
    """`enabled_tools` None means all."""

    enabled_tools: tuple[Id, ...] | None = None
    context: ContextWindow | None = None
    config: dict[str, JsonValue] = Field(default_factory=dict)


class WorkspacePolicy(Policy):
    """`task_name` defaults to the agent's name; `events` start a run."""

    task_name: TaskName | None = None
    events: Annotated[frozenset[WorkspaceEvent], Field(min_length=1)] = frozenset(get_args(WorkspaceEvent))


class Implication(Policy):
    """What implies this agent for runs that name none (C36)."""

    runtime_modes: tuple[RuntimeMode, ...] = ()
    forwarded_props: tuple[str, ...] = ()
