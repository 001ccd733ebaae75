"""Ids, operations, areas and scopes shared by manifests, policies and the runner API.

Source: `agent-runner.md` §3.4, §4.11, §7.
"""

from typing import Annotated, Final, Literal

from pydantic import StringConstraints

RunnerId = Annotated[str, StringConstraints(pattern=r"^plugin:[^/\s:]+/[^/\s:]+/[^/\s:]+$", max_length=256)]
"""`plugin:author/name/runner`, three non-empty parts (RNR-02)."""

ModelOperation = Literal["invoke", "stream", "rerank"]
ToolOperation = Literal["detail", "call"]
KnowledgeOperation = Literal["list", "retrieve"]
HistoryOperation = Literal["page", "search"]
EventOperation = Literal["get", "page"]
ArtifactOperation = Literal["metadata", "read"]
StorageArea = Literal["plugin", "workspace", "binding"]
StateScope = Literal["conversation", "actor", "subject", "runner", "binding"]

_NO_CONTROLS: Final = r"[^\x00-\x1f\x7f-\x9f]"
StateKey = Annotated[str, StringConstraints(pattern=rf"^{_NO_CONTROLS}{{1,128}}$")]
StorageKey = Annotated[str, StringConstraints(pattern=rf"^{_NO_CONTROLS}{{1,512}}$")]
"""Keys are text in any script, without control characters (RNR-36, RNR-60)."""
StatePrefix = Annotated[str, StringConstraints(pattern=rf"^{_NO_CONTROLS}{{0,128}}$")]
StoragePrefix = Annotated[str, StringConstraints(pattern=rf"^{_NO_CONTROLS}{{0,512}}$")]

RESULT_TYPES: Final = frozenset(
    {
        *("message.delta", "message.completed", "tool.call.started", "tool.call.completed"),
        *("state.updated", "state.delta", "artifact.created", "action.requested"),
        *("stage.started", "run.failed", "run.completed"),
    }
)
"""The result types with a meaning of their own (RNR-30 … RNR-42); a runner declares no events under them."""

CUT: Final = "…"
"""Marks where a text was cut."""

RESULT_CHARACTERS: Final = 16_000
"""The limit of a tool's result, for storage and models."""

TOOL_MESSAGES: Final = "tool_messages"
"""The member of a manifest's `metadata` that asks for tool calls and results among the inlined messages (MSG-08)."""

INPUT_AT: Final = "input_at"
"""The member of a bootstrap's `metadata` with the index of the message before which the run's input belongs; set if
messages follow that input, as when it is sent again with client tool results (EVT-21).
"""

NO_RESULT: Final = '{"error":"the client gave no result"}'
"""The result of a call that the client left open while it answered others."""

SHARED_STATE: Final = "shared_state"
"""The member of a delivery's `platform_capabilities` that is true if the client shares a state with the agent (C46):
`state` in the adapter's `extra`, changed by `state.delta`.
"""
