"""What one run may do: frozen when it starts and stored with it, so that a later change of policy does not change the
run (RNR-08). Whoever answers a call of its runner, in whatever process, checks it against this.
"""

from pydantic import BaseModel, ConfigDict

from yarrow.protocol.runner.api import StateScope
from yarrow.protocol.runner.resources import AgentResources, AgentRunnerPermissions
from yarrow.store.branches import Path, Stretch


class RunGrant(BaseModel):
    """The identity of a run and what it may do: manifest, binding and scope of the run have all allowed it.

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
    stretches: tuple[Stretch, ...] = ()
    """The conversation that its runner may read, of a session with branches (C38)."""

    @property
    def path(self) -> Path | None:
        """The same; None where that is all of the session."""
        return Path(self.stretches) if self.stretches else None
