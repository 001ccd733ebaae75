"""How one run's results are to be taken and what they may do: what manifest, binding and grant say to the orchestrator.

Nothing is decided here. The defaults are those of a native runner to which nothing is granted but the state of its
conversation.
"""

from collections.abc import Mapping, Set
from dataclasses import dataclass
from typing import Any, Final, Protocol

from yarrow.protocol.runner.api import ArtifactMetadata, StateScope
from yarrow.worker.results.deltas import DeltaSemantics


class KeepArtifact(Protocol):
    """Keeps the bytes of an artifact for the run and its conversation.

    Called again with the same id, by a worker that took over, it keeps nothing more and returns the same. Raises
    AgentAPIException for an artifact that is not taken.
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
        """What is known of the artifact then."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """The terms of one run, frozen when it starts (RNR-08)."""

    delta_semantics: DeltaSemantics = "incremental"
    """What a piece of an answer is (C17): `deltas.semantics_of(manifest.metadata)`."""
    streaming: bool = True
    """Whether the manifest declares that the runner yields pieces (RNR-06): `manifest.capabilities.streaming`."""
    state_scopes: Set[StateScope] = frozenset({"conversation"})
    """Where the run may keep state (RNR-36): `grant.state_scopes`."""
    shows_state: bool = False
    """Whether the client is shown that state as STATE_SNAPSHOT and STATE_DELTA."""
    actions: Set[str] = frozenset()
    """Actions of the platform the agent may request (RNR-37). They are told to the client, never done."""
    keep_artifact: KeepArtifact | None = None
    """Without it, the run keeps no artifacts (RNR-38, RNR-81)."""


NATIVE: Final = Terms()
