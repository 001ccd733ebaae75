"""AG-UI's AgentCapabilities: what clients may know of an agent before they run it.

Every member may be left out, which means that nobody has said it. The members are those of the released SDKs.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from yarrow.protocol.response_body import Body


class _Category(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A member of an agent's capabilities."""


class IdentityCapabilities(_Category, frozen=True, kw_only=True):
    """Who the agent is; `type` is the platform, and `metadata` has the agent's name for `?agent=`."""

    name: str | None = None
    type: str | None = None
    description: str | None = None
    version: str | None = None
    provider: str | None = None
    documentation_url: str | None = None
    metadata: dict[str, Any] | None = None


class TransportCapabilities(_Category, frozen=True, kw_only=True):
    """How clients reach it; `resumable` streams go on after an event's number."""

    streaming: bool | None = None
    websocket: bool | None = None
    http_binary: bool | None = None
    push_notifications: bool | None = None
    resumable: bool | None = None


class ToolItem(_Category, frozen=True, kw_only=True):
    """A tool that the agent brings; `parameters` is a JSON schema."""

    name: str
    description: str
    parameters: dict[str, Any] | None = None


class ToolsCapabilities(_Category, frozen=True, kw_only=True):
    """Whether it calls tools, its own and the client's."""

    supported: bool | None = None
    items: tuple[ToolItem, ...] | None = None
    parallel_calls: bool | None = None
    client_provided: bool | None = None


class OutputCapabilities(_Category, frozen=True, kw_only=True):
    """What its answers may be, besides text."""

    structured_output: bool | None = None
    supported_mime_types: tuple[str, ...] | None = None


class StateCapabilities(_Category, frozen=True, kw_only=True):
    """What it does with shared state, and whether it remembers beyond a session."""

    snapshots: bool | None = None
    deltas: bool | None = None
    memory: bool | None = None
    persistent_state: bool | None = None


class SubagentInfo(_Category, frozen=True, kw_only=True):
    """An agent that it may call."""

    name: str
    description: str | None = None


class MultiAgentCapabilities(_Category, frozen=True, kw_only=True):
    """Whether it works with other agents."""

    supported: bool | None = None
    delegation: bool | None = None
    handoffs: bool | None = None
    subagents: tuple[SubagentInfo, ...] | None = None


class ReasoningCapabilities(_Category, frozen=True, kw_only=True):
    """Whether it shows what its model thinks."""

    supported: bool | None = None
    streaming: bool | None = None
    encrypted: bool | None = None


class MultimodalInputCapabilities(_Category, frozen=True, kw_only=True):
    """The media that it can read in a message."""

    image: bool | None = None
    audio: bool | None = None
    video: bool | None = None
    pdf: bool | None = None
    file: bool | None = None


class MultimodalOutputCapabilities(_Category, frozen=True, kw_only=True):
    """The media that it can make."""

    image: bool | None = None
    audio: bool | None = None


class MultimodalCapabilities(_Category, frozen=True, kw_only=True):
    """The media that it takes and makes."""

    input: MultimodalInputCapabilities | None = None
    output: MultimodalOutputCapabilities | None = None


class ExecutionCapabilities(_Category, frozen=True, kw_only=True):
    """What a run may do and last; `maxExecutionTime` is in milliseconds."""

    code_execution: bool | None = None
    sandboxed: bool | None = None
    max_iterations: int | None = None
    max_execution_time: int | None = None


class HumanInTheLoopCapabilities(_Category, frozen=True, kw_only=True):
    """Whether it asks its user, and how it takes the answers."""

    supported: bool | None = None
    approvals: bool | None = None
    interventions: bool | None = None
    feedback: bool | None = None
    interrupts: bool | None = None
    approve_with_edits: bool | None = None


class AgentCapabilities(_Category, frozen=True, kw_only=True):
    """What an agent can do, in AG-UI's words. A member that is left out is unknown, not denied."""

    identity: IdentityCapabilities | None = None
    transport: TransportCapabilities | None = None
    tools: ToolsCapabilities | None = None
    output: OutputCapabilities | None = None
    state: StateCapabilities | None = None
    multi_agent: MultiAgentCapabilities | None = None
    reasoning: ReasoningCapabilities | None = None
    multimodal: MultimodalCapabilities | None = None
    execution: ExecutionCapabilities | None = None
    human_in_the_loop: HumanInTheLoopCapabilities | None = None
    custom: dict[str, Any] | None = None


def read_capabilities(document: Mapping[str, Any]) -> AgentCapabilities:
    """Read capabilities. Raises ValueError for an unknown member or a value of another type, and says where."""
    return msgspec.convert(document, AgentCapabilities)


def merged(*documents: Mapping[str, Any]) -> dict[str, Any]:
    """Return one document of several, of which a later one's values replace those of an earlier one."""
    found: dict[str, Any] = {}
    for document in documents:
        for name, value in document.items():
            known = found.get(name)
            both = isinstance(known, dict) and isinstance(value, Mapping)
            found[name] = merged(known, value) if both and known is not None else value
    return found
