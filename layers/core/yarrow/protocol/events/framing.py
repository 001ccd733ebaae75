"""The members of every event of a run, and the names that its own members cannot have.

Source: `agui-http-agent.md` (EVT-16, EVT-25).
"""

from typing import Any, Final, TypedDict


class RunIds(TypedDict):
    """The ids on every event (EVT-25)."""

    thread_id: str
    run_id: str


FRAMING: Final = frozenset(
    {
        *("type", "thread_id", "threadId", "run_id", "runId", "timestamp", "message_id", "messageId"),
        *("metadata", "rawEvent", "subagentRunId"),
    }
)
"""AG-UI's members of TEXT_MESSAGE_END, in both spellings: no output may set them."""

INTERRUPTED: Final[dict[str, Any]] = {"yarrow.interrupted": True}
"""The metadata of a TOOL_CALL_END whose arguments are truncated and must not be parsed."""
