"""What every event of a run carries, and the names that its own members cannot have.

Source: `agui-http-agent.md` (EVT-16, EVT-25).
"""

from typing import Final, TypedDict


class RunIds(TypedDict):
    """On every event (EVT-25)."""

    thread_id: str
    run_id: str


DERIVED: Final = "yarrow.divination-derived"
"""The name of DIVINATION_DERIVED for agents and AG-UI clients (C11)."""

FRAMING: Final = frozenset(
    {
        *("type", "thread_id", "threadId", "run_id", "runId", "timestamp", "message_id", "messageId"),
        *("metadata", "rawEvent", "subagentRunId"),
    }
)
"""AG-UI's members of TEXT_MESSAGE_END, in both spellings: no output may set them."""
