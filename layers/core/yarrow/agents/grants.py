"""What one run may do, whatever changes in the policy later (RNR-08)."""

from collections.abc import Iterable
from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field

from yarrow.agents.approvals import ToolApproval
from yarrow.protocol.runner.api import StateScope
from yarrow.protocol.runner.resources import AgentResources, AgentRunnerPermissions, ArtifactResource
from yarrow.protocol.runner.vocabulary import ArtifactOperation, Retry
from yarrow.store.branches import Path, Segment

READING: Final[tuple[ArtifactOperation, ...]] = ("metadata", "read")
"""The operations on artifacts that a run is shown, whatever its policy says of others."""


class GrantedMcpTool(BaseModel):
    """A tool of a server as a run may use it: what the server said of it when the run began."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    server: str
    name: str
    description: str
    parameters: dict[str, Any]
    output: Annotated[dict[str, Any] | None, Field(exclude_if=lambda output: output is None)] = None
    """The schema of its structured content, if that can be checked here."""
    retry: Retry = "never"
    unavailable: str | None = None
    """Why the server could not be asked when the run began."""
    needs_sign_in: Annotated[bool, Field(exclude_if=lambda needs: not needs)] = False
    """Whether the user had to sign in to the server when the run began: the first call asks them to."""


class RunGrant(BaseModel):
    """A grant; `deadline_at` is in epoch seconds."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True, serialize_by_alias=True)

    run_key: str = Field(validation_alias="run_id", serialization_alias="run_id")
    """Stored as `run_id`, its name in the protocol of runners."""
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

    approvals: Annotated[dict[str, ToolApproval], Field(exclude_if=lambda approvals: not approvals)] = {}
    """How calls of tools are approved, by name; those of other tools are not (ASK-06)."""

    mcp_tools: Annotated[dict[str, GrantedMcpTool], Field(exclude_if=lambda tools: not tools)] = {}
    """Tools of MCP servers by their names here (MCP-01)."""

    keeps_contents: Annotated[bool, Field(exclude_if=lambda keeps: not keeps)] = False
    """Whether what models are asked and answer is kept for the agent's author (STP-10)."""

    steering: Annotated[bool, Field(exclude_if=lambda steering: not steering)] = False
    """Whether its user may add messages while it goes on, which the runner pulls (RNR-87)."""

    def showing(self, artifact_ids: Iterable[str]) -> "RunGrant":
        """Return the grant with artifacts that the run was given since it began, which it may read."""
        known = {artifact.artifact_id for artifact in self.resources.artifacts}
        more = [ArtifactResource(artifact_id=name, operations=READING) for name in artifact_ids if name not in known]
        operations = tuple(dict.fromkeys((*self.permissions.artifacts, *READING)))
        return self.model_copy(
            update={
                "resources": self.resources.model_copy(update={"artifacts": (*self.resources.artifacts, *more)}),
                "permissions": self.permissions.model_copy(update={"artifacts": operations}),
            }
        )

    @property
    def path(self) -> Path | None:
        """The path that the runner may read; None for the whole session."""
        return Path(self.stretches) if self.stretches else None
