"""How a run's results are interpreted and what they may do, from manifest, binding and grant.

The defaults are those of a native runner that is granted only its conversation's state.
"""

from collections.abc import Mapping, Set
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from yarrow.protocol.runner.api import ArtifactMetadata, StateScope
from yarrow.protocol.runner.models import AgentEvent
from yarrow.worker.results.deltas import DeltaSemantics


class KeepArtifact(Protocol):
    """Stores an artifact's bytes for the run and its conversation.

    Idempotent by id, for workers that take over. Raises AgentAPIException for a rejected artifact.
    """

    async def __call__(
        self,
        *,
        artifact_id: str,
        artifact_type: str,
        mime_type: str,
        name: str | None,
        content: bytes,
        metadata: Mapping[str, Any],
    ) -> ArtifactMetadata:
        """The artifact's metadata."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """The options of one run, frozen when it starts (RNR-08)."""

    delta_semantics: DeltaSemantics = "incremental"
    """What a piece of an answer is (C17): `deltas.semantics_of(manifest.metadata)`."""
    streaming: bool = True
    """Whether the manifest declares streaming (RNR-06): `manifest.capabilities.streaming`."""
    state_scopes: Set[StateScope] = frozenset({"conversation"})
    """Scopes in which the run may store state (RNR-36): `grant.state_scopes`."""
    shows_state: bool = False
    """Whether persistent state is shown as STATE_SNAPSHOT and STATE_DELTA."""
    actions: Set[str] = frozenset()
    """Platform actions the agent may request (RNR-37); they are emitted, never carried out."""
    events: Mapping[str, AgentEvent] = field(default_factory=dict)
    """Event types of the agent's own, by result type: `InstalledRunner.events`."""
    keep_artifact: KeepArtifact | None = None
    """Without it, the run stores no artifacts (RNR-38, RNR-81)."""


DEFAULTS: Final = RunOptions()
