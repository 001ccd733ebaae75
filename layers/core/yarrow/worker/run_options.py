"""How a run's results are interpreted, and what they may do."""

from collections.abc import Mapping, Set
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Protocol

from yarrow.protocol.runner.api import ArtifactMetadata, StateScope
from yarrow.protocol.runner.models import AgentEvent
from yarrow.worker.results.deltas import DeltaSemantics

if TYPE_CHECKING:
    from yarrow.worker.results.tool_progress import ToolProgress


class KeepArtifact(Protocol):
    """Stores an artifact; idempotent by id. Raises AgentAPIException."""

    async def __call__(
        self,
        *,
        artifact_id: str,
        artifact_type: str,
        mime_type: str,
        name: str | None,
        content: bytes,
        metadata: Mapping[str, Any],
    ) -> ArtifactMetadata: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """Options from manifest, binding and grant, frozen when the run starts (RNR-08)."""

    delta_semantics: DeltaSemantics = "incremental"
    """How a delta is read (C17)."""
    streaming: bool = True
    """Whether the manifest declares streaming (RNR-06)."""
    state_scopes: Set[StateScope] = frozenset({"conversation"})
    """Scopes the run may write (RNR-36)."""
    shows_state: bool = False
    """Whether persistent state is shown, as STATE_SNAPSHOT and STATE_DELTA."""
    actions: Set[str] = frozenset()
    """Platform actions to emit, never executed (RNR-37)."""
    events: Mapping[str, AgentEvent] = field(default_factory=dict)
    """Custom types, by result type."""
    interactions: bool = True
    """Whether interactions that the runner requests are questions (ASK-05)."""
    custom_events: Set[str] = frozenset()
    """Names of other CUSTOM events that the binding allows (EVT-35)."""
    has_workspace: bool = False
    """Allows `workspace.*` results."""
    keep_artifact: KeepArtifact | None = None
    """None stores no artifacts (RNR-38, RNR-81)."""
    steering: bool = False
    """Whether the run's user may add messages, which the runner takes (RNR-87)."""
    progress: "ToolProgress | None" = None
    """Shows the progress of tools, if the run has any that tell it."""


DEFAULTS: Final = RunOptions()
