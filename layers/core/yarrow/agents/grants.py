"""What one run may do: frozen when it starts and stored with it, so that policy changes do not affect it (RNR-08).
Every call of its runner is checked against it, in any process.
"""

from pydantic import BaseModel, ConfigDict

from yarrow.protocol.runner.api import StateScope
from yarrow.protocol.runner.resources import AgentResources, AgentRunnerPermissions
from yarrow.store.branches import Path, Segment


class RunGrant(BaseModel):
    """A run's identity and permissions, as allowed by manifest, binding and scope.

    `run_id` is the run's key, `deadline_at` in seconds since the epoch.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    run_id: str
    runner_id: str
    binding_id: str
    user_id: str
    thread_id: str
    event_id: str
    deadline_at: float
    permissions: AgentRunnerPermissions
    resources: AgentResources
    state_scopes: tuple[StateScope, ...] = ()
    stretches: tuple[Segment, ...] = ()
    """The part of a session with branches that the runner may read (C38)."""

    @property
    def path(self) -> Path | None:
        """The same; None if that is the whole session."""
        return Path(self.stretches) if self.stretches else None
