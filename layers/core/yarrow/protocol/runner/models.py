"""The context a runner is given for a run, and the results it yields.

Source: `agent-runner.md` §4 to §6. History is inlined only if the context policy asks for it (RNR-10, RNR-15).
"""

from collections.abc import AsyncGenerator, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from pydantic import BaseModel, ConfigDict

from yarrow.protocol.runner.api import ModelMessage
from yarrow.protocol.runner.manifest import AgentRunnerManifest
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.protocol.runner.resources import AgentResources as AgentResources

InlineMode = Literal["none", "current_event", "recent_tail", "summary_tail"]


class _Entity(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class AgentTrigger(_Entity):
    """What started the run; `type` is the event's, or coarser (RNR-16). `timestamp` is in seconds."""

    type: str
    source: Literal["platform", "webui", "api", "scheduler", "system", "pipeline_adapter"]
    timestamp: int | None = None


class RawEventRef(_Entity):
    """Where an event's raw payload is stored, if it is not inlined (RNR-17)."""

    ref_id: str
    storage_key: str | None = None


class AgentEventContext(_Entity):
    """The event of the run. `data` holds small typed facts; times are in seconds since the epoch."""

    event_id: str
    event_type: str
    event_time: int | None = None
    source: str
    source_event_type: str | None = None
    raw_ref: RawEventRef | None = None
    data: dict[str, Any] = {}


class ConversationContext(_Entity):
    """The thread the event belongs to."""

    conversation_id: str | None = None
    thread_id: str | None = None
    launcher_type: str | None = None
    launcher_id: str | None = None
    bot_id: str | None = None
    workspace_id: str | None = None


class ActorContext(_Entity):
    """The actor: the user of a message, the system of a schedule (RNR-18)."""

    actor_type: str
    actor_id: str | None = None
    actor_name: str | None = None
    metadata: dict[str, Any] = {}


class SubjectContext(_Entity):
    """The subject: a message, a schedule (RNR-18)."""

    subject_type: str
    subject_id: str | None = None
    data: dict[str, Any] = {}


class ArtifactRef(_Entity):
    """A stored file by reference; read its bytes through `artifacts` (RNR-19)."""

    artifact_id: str
    artifact_type: str = "file"
    mime_type: str | None = None
    name: str | None = None
    size_bytes: int | None = None


class AgentInput(_Entity):
    """The main input of the event; large parts by reference."""

    text: str | None = None
    contents: tuple[dict[str, Any], ...] = ()
    attachments: tuple[ArtifactRef, ...] = ()
    message_chain: dict[str, Any] | None = None


class DeliveryContext(_Entity):
    """Where results go, and what that surface supports (RNR-20). `max_message_size` is in characters."""

    surface: str
    reply_target: dict[str, Any] | None = None
    supports_streaming: bool = False
    supports_edit: bool = False
    supports_reaction: bool = False
    max_message_size: int | None = None
    platform_capabilities: dict[str, Any] = {}


class InlineContextPolicy(_Entity):
    """What was actually inlined of the history (RNR-11)."""

    mode: InlineMode
    delivered_count: int = 0
    source_total_count: int | None = None
    messages_complete: bool = False
    reason: str | None = None


class ContextAPICapabilities(_Entity):
    """Which context APIs this run may call (RNR-21)."""

    history_page: bool = False
    history_search: bool = False
    event_get: bool = False
    event_page: bool = False
    artifact_metadata: bool = False
    artifact_read: bool = False
    state: bool = False
    storage: bool = False


class ContextAccess(_Entity):
    """The event's position in the conversation, and how to read more. Cursors are opaque."""

    conversation_id: str | None = None
    thread_id: str | None = None
    latest_cursor: str | None = None
    event_seq: int | None = None
    transcript_seq: int | None = None
    has_history_before: bool = False
    inline_policy: InlineContextPolicy
    available_apis: ContextAPICapabilities


class BootstrapContext(_Entity):
    """The inlined part of the conversation, within the runner's context policy."""

    messages: tuple[ModelMessage, ...] = ()
    summary: str | None = None
    artifacts: tuple[ArtifactRef, ...] = ()
    metadata: dict[str, Any] = {}


class AdapterContext(_Entity):
    """Members of the entry adapter; runners should not depend on them."""

    extra: dict[str, Any] = {}


class AgentRunState(_Entity):
    """The runner's stored state by scope; only permitted scopes are filled (RNR-24)."""

    conversation: dict[str, Any] = {}
    actor: dict[str, Any] = {}
    subject: dict[str, Any] = {}
    runner: dict[str, Any] = {}
    binding: dict[str, Any] = {}


class StaticContextRef(_Entity):
    """The version of something that seldom changes, for the runner's caches (RNR-23)."""

    hash: str
    version: str | None = None


class AgentRuntimeContext(_Entity):
    """Host, locale and deadline of the run. `deadline_at` is in seconds since the epoch."""

    host: str = "yarrow"
    langbot_version: str | None = None
    trace_id: str
    deadline_at: float | None = None
    locale: str | None = None
    timezone: str | None = None
    static_refs: dict[str, StaticContextRef] = {}
    metadata: dict[str, Any] = {}


class AgentRunContext(_Entity):
    """Everything a runner gets for one run (RNR-14)."""

    run_id: str
    trigger: AgentTrigger
    event: AgentEventContext
    conversation: ConversationContext | None = None
    actor: ActorContext | None = None
    subject: SubjectContext | None = None
    input: AgentInput
    delivery: DeliveryContext
    resources: AgentResources
    context: ContextAccess
    state: AgentRunState
    runtime: AgentRuntimeContext
    config: dict[str, Any] = {}
    bootstrap: BootstrapContext | None = None
    adapter: AdapterContext | None = None
    metadata: dict[str, Any] = {}


class AgentRunRequest(_Entity):
    """The payload of RUN_AGENT; the answer is a stream of AgentRunResult (RNR-13)."""

    runner_id: str
    runner_name: str
    context: AgentRunContext


class AgentRunResult(_Entity):
    """One result of a run. Stable types and their data:

    | type | data |
    |---|---|
    | `message.delta` | `{"chunk": {"role", "content", "is_final"?}}`: a piece of the answer |
    | `message.completed` | `{"message": {"role", "content"}, "output"?}`: the whole answer and its structured output |
    | `tool.call.started` | `{"tool_call_id", "tool_name", "parameters", "more"?}`: `more` calls of the step follow |
    | `tool.call.completed` | `{"tool_call_id", "tool_name", "result"?, "error"?}` |
    | `artifact.created` | `{"artifact_type", "name"?, "mime_type"?, "content_base64"?, "artifact_id"?, "metadata"?}` |
    | `state.updated` | `{"scope", "key", "value"}` |
    | `state.delta` | `{"delta"}`: RFC 6902 operations on the state shared with the client (extension of this host) |
    | `action.requested` | `{"action", "target", "payload"}` |
    | `stage.started` | `{"stage"}`: another of the binding's stages begins (extension of this host) |
    | a type of `InstalledRunner.events` | an event of the agent's own (extension of this host) |
    | `run.completed` | `{}` |
    | `run.failed` | `{"code", "message" or "error", "retryable"}`: both texts are public |

    `content` is text, or parts: `{"type": "text", "text"}`, `{"type": "image_base64", "image_base64"}` and the like.
    """

    run_id: str
    type: str
    data: dict[str, Any] = {}
    sequence: int | None = None
    timestamp: int | None = None


class AgentRunner(Protocol):
    """An agent: an async generator of results, called with a context and the host's API."""

    def run(self, context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        """Run once. Results carry the context's `run_id`; `api` is valid until the run ends."""
        ...


@dataclass(frozen=True, slots=True)
class AgentEvent:
    """An event type of an agent's own: CUSTOM with this name, whose value is the result's data.

    The name begins with the author in the runner's id and a dot. `data` validates the result's data on the host; a
    result it refuses is skipped.
    """

    name: str
    data: type[BaseModel]


@dataclass(frozen=True, slots=True)
class InstalledRunner:
    """A runner's manifest, factory and event types; the object that an entry point of `yarrow.runners` names.

    `events` maps result types of the runner's own to events.
    """

    manifest: AgentRunnerManifest
    create: Callable[[], AgentRunner]
    events: Mapping[str, AgentEvent] = field(default_factory=dict)
