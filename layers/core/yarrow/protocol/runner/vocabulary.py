"""Names shared by manifests, policies and the runner API (`agent-runner.md` §3.4, §4.11, §7)."""

from typing import Final, Literal

ModelOperation = Literal["invoke", "stream", "rerank"]
ToolOperation = Literal["detail", "call"]
KnowledgeOperation = Literal["list", "retrieve"]
HistoryOperation = Literal["page", "search"]
EventOperation = Literal["get", "page"]
ArtifactOperation = Literal["metadata", "read"]
StorageArea = Literal["plugin", "workspace", "binding"]
StateScope = Literal["conversation", "actor", "subject", "runner", "binding"]

ErrorCode = Literal[
    "unauthorized",
    "not_found",
    "deadline_exceeded",
    "payload_too_large",
    "rate_limited",
    "invalid_argument",
    "runtime_error",
]
"""The codes of failed actions (RNR-62)."""

Retry = Literal["safe", "keyed", "never"]
"""Whether a call may be made again when its outcome is unknown (STP-03): at will, with the same idempotency key, or
never, which fails the run.
"""

QuestionKind = Literal["confirmation", "choice", "form", "text"]

AnswerStatus = Literal["answered", "refused", "expired", "cancelled"]
"""How a question to the user ended (ASK-01)."""

OnExpiry = Literal["stop", "continue"]
"""What happens when a question expires: nothing more, or its run goes on with an answer that is `expired`."""

INTERACTION_REQUESTED: Final = "interaction.requested"
"""The action of `action.requested` by which a runner asks its user (ASK-05)."""

INTERACTION_SUBMITTED: Final = "interaction.submitted"
"""The event of a run that an answer starts."""

WORKSPACE_RESULTS: Final = frozenset(
    {"workspace.prompt", "workspace.question", "workspace.message", "workspace.subtasks", "workspace.log"}
)
"""The results of runners with a workspace only."""

RESULT_TYPES: Final = frozenset(
    {
        *("message.delta", "message.completed", "tool.call.started", "tool.call.completed"),
        *("reasoning.delta", "reasoning.completed"),
        *("state.updated", "state.delta", "artifact.created", "action.requested"),
        *("activity.snapshot", "activity.delta"),
        *("subagent.started", "subagent.finished", "subagent.failed", "custom"),
        *("stage.started", "run.failed", "run.completed"),
        *WORKSPACE_RESULTS,
    }
)
"""The predefined types of results (RNR-30 … RNR-42), which a runner's own events cannot use."""

WORKSPACE: Final = "workspace"
"""A member of a manifest's `metadata`: the runner serves a workspace and takes `{"events": [...]}`."""

WorkspaceEvent = Literal[
    "workspace.init",
    "workspace.input",
    "workspace.option",
    "workspace.answer",
    "workspace.attachment",
    "workspace.control",
]

MAX_ADDED: Final = 16
"""The most messages that a user may add to one run (RNR-87)."""

MESSAGE_TAKEN: Final = "yarrow.message-taken"
"""The name of the CUSTOM event of a message that the user has added and the runner has taken: its `id`, `content` and
`sentAt`.
"""

MESSAGES_UNREAD: Final = "yarrow.messages-unread"
"""The name of the CUSTOM event before the end of a run whose runner has left messages of the user: their `ids`, in
order. The history has them.
"""

CUT: Final = "…"

RESULT_CHARACTERS: Final = 16_000
"""The most characters of a tool result."""

TOOL_MESSAGES: Final = "tool_messages"
"""A member of a manifest's `metadata`: inline tool calls and results too (MSG-08)."""

MESSAGE_MEMBERS: Final = "message_members"
"""A member of a manifest's `metadata`: inline the `name` of assistant messages too, and the `reasoning` that the client
sent with them (MSG-06).
"""

INPUT_AT: Final = "input_at"
"""A member of a bootstrap's `metadata`: the index of the message before which the run's input belongs; set if messages
follow it (EVT-21).
"""

UNOPENED: Final = "({kind} left out, for it cannot be opened here)"
"""The text in place of a medium that an agent or a model cannot open."""

PROVIDER: Final = "yarrow"
"""The `provider` of a medium whose handle is the id of an artifact."""

NO_RESULT: Final = '{"error":"the client gave no result"}'
"""The result of a call that the client left open while it answered others."""

VERBATIM: Final = "verbatim_answer"
"""A member of a tool's result: a text that the user gets verbatim, without a model; it ends the run's answer."""

DECLINED: Final = "declined"
"""A member of such a result and of `run.completed`: the kind of question that got no reading (CARE-05)."""

REASONING_PREFIX: Final = "yarrow1."
"""Begins the `encrypted_value` of reasoning that a model of this host made."""

SHARED_STATE: Final = "shared_state"
"""A member of a delivery's `platform_capabilities`: the client shares `state` in the adapter's `extra` (C46), which
`state.delta` changes.
"""

INTERRUPTS: Final = "interrupts"
"""A member of a delivery's `platform_capabilities`: the run's client says that it can show questions and answer them.
Others get them as text, and their user answers in the inbox.
"""

SHOWN_EVENTS: Final = frozenset(
    {
        *("RUN_STARTED", "RUN_FINISHED", "RUN_ERROR", "STEP_STARTED", "STEP_FINISHED"),
        *("TEXT_MESSAGE_END", "TOOL_CALL_START", "CUSTOM"),
    }
)
"""The types of a run's events that a workspace shows. Batches of the journal with one of them name their workspace; the
table's stream is filtered by that.
"""
