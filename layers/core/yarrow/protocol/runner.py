"""What the host hands a runner and what a runner yields: the part of the runner protocol that agents here use.

Source: `agent-runner.md` §4 and §6; names and defaults are the document's. A run is event-first: `event` says what
happened, `input` is its main input, and history is never inlined (RNR-10, RNR-15).
"""

from collections.abc import AsyncGenerator
from typing import Any, Literal, Protocol

from pydantic import BaseModel, ConfigDict, Field


class _Entity(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class AgentTrigger(_Entity):
    """What set the run off."""

    type: str
    source: Literal["platform", "webui", "api", "scheduler", "system", "pipeline_adapter"]
    timestamp: int | None = None


class AgentEventContext(_Entity):
    """The event a run answers. `data` holds small, typed facts of it."""

    event_id: str
    event_type: str
    source: str
    data: dict[str, Any] = {}


class ConversationContext(_Entity):
    """The thread the event belongs to."""

    conversation_id: str | None = None
    thread_id: str | None = None


class AgentInput(_Entity):
    """The main input of the event."""

    text: str | None = None


class AgentRunState(_Entity):
    """A snapshot of what the runner keeps with the host, by scope."""

    conversation: dict[str, Any] = {}


class AgentRuntimeContext(_Entity):
    """Where and for how long the run runs. `deadline_at` is in seconds since the epoch."""

    host: str = "yarrow"
    trace_id: str
    deadline_at: float | None = None
    locale: str | None = None
    timezone: str | None = None


class AgentRunContext(_Entity):
    """Everything a runner is given for one run."""

    run_id: str
    trigger: AgentTrigger
    event: AgentEventContext
    conversation: ConversationContext | None = None
    input: AgentInput
    state: AgentRunState = Field(default_factory=AgentRunState)
    runtime: AgentRuntimeContext
    config: dict[str, Any] = {}


class AgentRunResult(_Entity):
    """One result of a run. Stable types and their data:

    | type | data |
    |---|---|
    | `message.delta` | `{"chunk": {"role", "content", "is_final"?}}`: a piece of the answer, to be appended |
    | `message.completed` | `{"message": {"role", "content"}, "output"?}`: the whole answer and its structured output |
    | `tool.call.started` | `{"tool_call_id", "tool_name", "parameters"}` |
    | `tool.call.completed` | `{"tool_call_id", "tool_name", "result"?, "error"?}` |
    | `state.updated` | `{"scope", "key", "value"}` |
    | `divination.derived` | `{"divination"}` (extension of this host) |
    | `run.completed` | `{}` |
    | `run.failed` | `{"code", "message" or "error", "retryable"}`: both texts are public |
    """

    run_id: str
    type: str
    data: dict[str, Any] = {}
    sequence: int | None = None
    timestamp: int | None = None


class AgentRunner(Protocol):
    """An agent: called with a context, it yields results until it is done."""

    def run(self, context: AgentRunContext) -> AsyncGenerator[AgentRunResult]:
        """Run once. Results carry the context's `run_id`."""
        ...
