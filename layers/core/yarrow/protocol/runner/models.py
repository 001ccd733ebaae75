"""A run's context and a runner's results.

Source: `agent-runner.md` §4 to §6. History is inlined only if the context policy asks for it (RNR-10, RNR-15).
"""

from collections.abc import AsyncGenerator, Callable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, Protocol

from pydantic import BaseModel, ConfigDict, Field

from yarrow.protocol.events.event_types import EventType
from yarrow.protocol.runner.api import ModelMessage
from yarrow.protocol.runner.manifest import AgentRunnerManifest
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.protocol.runner.resources import AgentResources as AgentResources

InlineMode = Literal["none", "current_event", "recent_tail", "summary_tail"]


class _Entity(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class AgentTrigger(_Entity):
    """`type` is the event's, or coarser (RNR-16); `timestamp` in seconds."""

    type: str
    source: Literal["platform", "webui", "api", "scheduler", "system", "pipeline_adapter"]
    timestamp: int | None = None


class RawEventRef(_Entity):
    """The payload, if not inlined (RNR-17)."""

    ref_id: str
    storage_key: str | None = None


class AgentEventContext(_Entity):
    """`data` holds small typed facts; times are in seconds since the epoch."""

    event_id: str
    event_type: str
    event_time: int | None = None
    source: str
    source_event_type: str | None = None
    raw_ref: RawEventRef | None = None
    data: dict[str, Any] = {}


class ConversationContext(_Entity):
    conversation_id: str | None = None
    thread_id: str | None = None
    launcher_type: str | None = None
    launcher_id: str | None = None
    bot_id: str | None = None
    workspace_id: str | None = None


class ActorContext(_Entity):
    """The message's user, or the system (RNR-18)."""

    actor_type: str
    actor_id: str | None = None
    actor_name: str | None = None
    metadata: dict[str, Any] = {}


class SubjectContext(_Entity):
    """A message or a schedule (RNR-18)."""

    subject_type: str
    subject_id: str | None = None
    data: dict[str, Any] = {}


class ArtifactRef(_Entity):
    """Read it through `artifacts` (RNR-19)."""

    artifact_id: str
    artifact_type: str = "file"
    mime_type: str | None = None
    name: str | None = None
    size_bytes: int | None = None


class AgentInput(_Entity):
    """Large parts are references."""

    text: str | None = None
    contents: tuple[dict[str, Any], ...] = ()
    attachments: tuple[ArtifactRef, ...] = ()
    message_chain: dict[str, Any] | None = None
    interaction: Annotated[dict[str, Any] | None, Field(exclude_if=lambda interaction: interaction is None)] = None
    """What the user has submitted, if the event is `interaction.submitted` (ASK-05)."""


class DeliveryContext(_Entity):
    """Where results go (RNR-20). `max_message_size` is in characters."""

    surface: str
    reply_target: dict[str, Any] | None = None
    supports_streaming: bool = False
    supports_edit: bool = False
    supports_reaction: bool = False
    max_message_size: int | None = None
    interactions: Annotated[dict[str, Any] | None, Field(exclude_if=lambda interactions: interactions is None)] = None
    """What interactions may ask of the user, for runners that declare them (ASK-05)."""
    platform_capabilities: dict[str, Any] = {}


class InlineContextPolicy(_Entity):
    """What was actually inlined (RNR-11)."""

    mode: InlineMode
    delivered_count: int = 0
    source_total_count: int | None = None
    messages_complete: bool = False
    reason: str | None = None


class ContextAPICapabilities(_Entity):
    """Which APIs the run may call (RNR-21)."""

    history_page: bool = False
    history_search: bool = False
    event_get: bool = False
    event_page: bool = False
    artifact_metadata: bool = False
    artifact_read: bool = False
    state: bool = False
    storage: bool = False
    steering_pull: bool = False


class ContextAccess(_Entity):
    """Cursors are opaque."""

    conversation_id: str | None = None
    thread_id: str | None = None
    latest_cursor: str | None = None
    event_seq: int | None = None
    transcript_seq: int | None = None
    has_history_before: bool = False
    inline_policy: InlineContextPolicy
    available_apis: ContextAPICapabilities


class BootstrapContext(_Entity):
    """What the runner's context policy inlines."""

    messages: tuple[ModelMessage, ...] = ()
    summary: str | None = None
    artifacts: tuple[ArtifactRef, ...] = ()
    metadata: dict[str, Any] = {}


class AdapterContext(_Entity):
    """Runners should not depend on it."""

    extra: dict[str, Any] = {}


class AgentRunState(_Entity):
    """The stored state; only permitted scopes are filled (RNR-24)."""

    conversation: dict[str, Any] = {}
    actor: dict[str, Any] = {}
    subject: dict[str, Any] = {}
    runner: dict[str, Any] = {}
    binding: dict[str, Any] = {}


class StaticContextRef(_Entity):
    """A reference for caches of what seldom changes (RNR-23)."""

    hash: str
    version: str | None = None


class AgentRuntimeContext(_Entity):
    """`deadline_at` is in seconds since the epoch."""

    host: str = "yarrow"
    langbot_version: str | None = None
    trace_id: str
    deadline_at: float | None = None
    locale: str | None = None
    timezone: str | None = None
    static_refs: dict[str, StaticContextRef] = {}
    metadata: dict[str, Any] = {}


class AgentRunContext(_Entity):
    """The input of one run (RNR-14)."""

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
    """The payload of RUN_AGENT (RNR-13)."""

    runner_id: str
    runner_name: str
    context: AgentRunContext


class AgentRunResult(_Entity):
    """One result of a run. Stable types and their data (extensions of this host are marked `+`):

    - `message.delta` `{"chunk": {"role", "content", "is_final"?}}`: a piece of the answer
    - `message.completed` `{"message": {"role", "content"}, "output"?}`: the answer and its structured output
    - `reasoning.delta`+ `{"content"}`: a piece of what the agent thinks, to show
    - `reasoning.completed`+ `{"content"?, "encrypted_value"?}`: the whole of it; the client sends the value back
    - `tool.call.started` `{"tool_call_id", "tool_name", "parameters", "more"?, "metadata"?}`: `more` calls of the
      round follow
    - `tool.call.completed` `{"tool_call_id", "tool_name", "result"?, "error"?, "content"?, "metadata"?}`: `content` are
      AG-UI's parts, which clients get in place of the result
    - `artifact.created` `{"artifact_type", "name"?, "mime_type"?, "content_base64"?, "artifact_id"?, "metadata"?}`
    - `state.updated` `{"scope", "key", "value"}`
    - `state.delta`+ `{"delta"}`: RFC 6902 operations on the shared state
    - `activity.snapshot`+ `{"activity_id", "activity_type", "content", "replace"?}`: shown beside the messages
    - `subagent.started`+ `{"subagent_run_id", "name", "description"?, "parent_subagent_run_id"?,
      "parent_tool_call_id"?}`: the agent calls another; then `subagent.finished`+ `{"subagent_run_id", "result"?}` or
      `subagent.failed`+ `{"subagent_run_id", "message", "code"?}`. Messages, reasoning, calls and activities in between
      are of the agent that their `subagent_run_id`+ names
    - `activity.delta`+ `{"activity_id", "delta"}`: RFC 6902 operations on its content
    - `action.requested` `{"action", "target", "payload"}`
    - `custom`+ `{"name", "value"}`: AG-UI's CUSTOM, if `delivery.custom_events` of the agent's block has the name
    - `stage.started`+ `{"stage"}`: another of the binding's stages
    - `workspace.prompt` `{"text"?, "attachmentPolicy"?, "questions"?}`: what is asked from now on; `{}` for nothing
    - `workspace.question` `{"question"}`: a new or changed question
    - `workspace.message` `{"content", "options"?, "questionId"?, …}`: with choices or a request for files
    - `workspace.subtasks` `{"items": [{"key", "status", "actionLabel"?}]}`: all steps of the work
    - `workspace.log` `{"text", "level"?, "source"?, "key"?}`
    - a type of `InstalledRunner.events`+
    - `run.completed` `{"usage"?}`: tokens of models that the runner called itself, as in AG-UI
    - `run.failed` `{"code", "message" or "error", "retryable", "usage"?}`: both texts are public

    `workspace.*` is for runners that declare a workspace (`yarrow.protocol.workspace.surface`). `content` is text, or
    parts: `{"type": "text", "text"}`, `{"type": "image_base64", "image_base64"}` and the like.
    """

    run_id: str
    type: str
    data: dict[str, Any] = {}
    sequence: int | None = None
    timestamp: int | None = None


class AgentRunner(Protocol):
    def run(self, context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        """Run the agent. Results have the context's `run_id`; `api` is valid until the run ends."""
        ...


@dataclass(frozen=True, slots=True)
class AgentEvent:
    """A CUSTOM event with this name and the result's data, validated by `data` on the host.

    The name begins with the author in the runner's id and a dot. Invalid results are skipped. With a `type`, whose name
    is the same, the event has a type of its own and occurs once a run: further results are skipped.
    """

    name: str
    data: type[BaseModel]
    type: EventType | None = None


@dataclass(frozen=True, slots=True)
class InstalledRunner:
    """The object of an entry point of `yarrow.runners`. `events` are by the runner's own result types."""

    manifest: AgentRunnerManifest
    create: Callable[[], AgentRunner]
    events: Mapping[str, AgentEvent] = field(default_factory=dict)
    prepare: Callable[[], object] = lambda: None
    """Prepares a process before its first run, such as by compiling patterns; no run waits for it."""
    is_remote: bool = False
    """Whether it calls the host from another function."""
    version: str | None = None
    """The distribution that it is from, with its version; None if that is not known."""
    capabilities: Callable[[Mapping[str, Any]], Mapping[str, Any]] = lambda _: {}
    """Returns members of AG-UI's AgentCapabilities, beyond the manifest, by the agent's `config`."""
