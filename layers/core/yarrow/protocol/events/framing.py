"""The members of every event of a run, and the names that its own members cannot have.

Source: `agui-http-agent.md` (EVT-16, EVT-25).
"""

from typing import Annotated, Any, Final, TypeAlias, TypedDict, cast

from msgspec import Meta, Struct

Milliseconds: TypeAlias = Annotated[int, Meta(ge=-(2**53) + 1, le=2**53 - 1)]
"""Milliseconds since the epoch; exact in JavaScript (EVT-29)."""


class RunIds(TypedDict):
    """The ids on every event (EVT-25)."""

    thread_id: str
    run_id: str


class Framed(Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True, forbid_unknown_fields=True):
    """The members of all events. One that has its default is left out (EVT-16)."""

    thread_id: str
    run_id: str
    timestamp: Milliseconds | None = None


class BaseEvent(Framed, frozen=True, kw_only=True, tag_field="type"):
    """One of AG-UI's."""

    @property
    def type(self) -> str:
        """The type on the wire."""
        return cast("str", self.__struct_config__.tag)


FRAMING: Final = frozenset(
    {
        *("type", "thread_id", "threadId", "run_id", "runId", "timestamp", "message_id", "messageId"),
        *("metadata", "rawEvent", "subagentRunId"),
    }
)
"""AG-UI's members of TEXT_MESSAGE_END, in both spellings: no output may set them."""

INTERRUPTED: Final[dict[str, Any]] = {"yarrow.interrupted": True}
"""The metadata of a TOOL_CALL_END whose arguments are truncated and must not be parsed."""
