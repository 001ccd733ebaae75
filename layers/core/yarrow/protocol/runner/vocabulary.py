"""The words that a runner's manifest, an operator's policy and the host's API share: ids, operations, areas, scopes.

Source: `agent-runner.md` §3.4, §4.11, §7. They stand apart from the models that use them, for whoever needs no model.
"""

from typing import Annotated, Final, Literal

from pydantic import StringConstraints

RunnerId = Annotated[str, StringConstraints(pattern=r"^plugin:[^/\s:]+/[^/\s:]+/[^/\s:]+$", max_length=256)]
"""`plugin:author/name/runner`, three parts that are not empty (RNR-02)."""

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

CUT: Final = "…"
"""Stands where a text was cut off."""

RESULT_CHARACTERS: Final = 16_000
"""How much of a tool's result is taken, kept and read by a model."""

TOOL_MESSAGES: Final = "tool_messages"
"""The member of a manifest's `metadata` that is true for a runner that wants to hear, with the messages inlined for it,
which tools were called between them and what they answered (MSG-08)."""

INPUT_AT: Final = "input_at"
"""The member of a bootstrap's `metadata` that says, for such a runner, before which of the messages the run's own input
stands. It is there if something was said or done after that input, which comes again with the answers of the client's
tools (EVT-21)."""

NO_RESULT: Final = '{"error":"the client gave no result"}'
"""What stands for the result of a call that the client has not answered while it answered others."""

SHARED_STATE: Final = "shared_state"
"""The member of a delivery's `platform_capabilities` that is true for a run whose client shares a state with the agent
(C46): it is `state` in the adapter's `extra`, and `state.delta` changes it."""
