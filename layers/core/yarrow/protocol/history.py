"""Responses of `GET /api/v1/agent/history`.

Source: `divination-run.md` (HIS-01 … HIS-06, HIS-08, HIS-11), `run-input.md` (HIS-12, HIS-13). `ui_schema` is a
UiSchemaRenderer, compiled from the message's hints (UIS-04).
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from yarrow.protocol.reading_outcome import Outcome, OutcomeRecord, SessionOutcome


class _Wire(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, serialize_by_alias=True, frozen=True)


class Attachment(_Wire):
    """A picture; its URL is signed for this read (HIS-07)."""

    mime_type: str
    url: str


class _Item(_Wire):
    id: str
    thread_id: str
    seq: int
    content: str
    timestamp: str


def _is_missing(value: Any) -> bool:
    return value is None


class UserItem(_Item):
    """A user message (HIS-06), with what an AG-UI client gave it beside its content, if anything (MSG-07)."""

    role: Literal["user"] = "user"
    attachments: tuple[Attachment, ...] = ()
    name: Annotated[str | None, Field(exclude_if=_is_missing)] = None
    encrypted_value: Annotated[str | None, Field(exclude_if=_is_missing)] = None
    metadata: Annotated[dict[str, Any] | None, Field(exclude_if=_is_missing)] = None


class AssistantItem(_Item):
    """An assistant message, with structured output, if any (HIS-08). In a list of sessions, `outcome` is what the user
    recorded of the session's reading.
    """

    role: Literal["assistant"] = "assistant"
    agent_output: Annotated[
        dict[str, Any] | None, Field(alias="agent_output", exclude_if=lambda output: output is None)
    ] = None
    outcome: Annotated[Outcome | None, Field(exclude_if=lambda outcome: outcome is None)] = None


class Snapshot(_Wire):
    """A history response; `day` is always null (HIS-04).

    A session has its `outcome`, the first page of a list the user's `record`, if the user recorded any.
    """

    scope: Literal["history_session_full", "history_sessions_latest_assistant"]
    thread_id: str | None
    day: None = None
    has_more: bool
    messages: tuple[Annotated[UserItem | AssistantItem, Field(discriminator="role")], ...]
    outcome: Annotated[SessionOutcome | None, Field(exclude_if=lambda outcome: outcome is None)] = None
    record: Annotated[OutcomeRecord | None, Field(exclude_if=lambda record: record is None)] = None


class DayAssistantItem(_Item):
    """An assistant message with its card, or null (HIS-13)."""

    role: Literal["assistant"] = "assistant"
    ui_schema: Annotated[dict[str, Any] | None, Field(alias="ui_schema")] = None


class DaySnapshot(_Wire):
    """The last day of a session before the requested one (HIS-12, C8).

    `day` is `YYYY-MM-DD`, or null without messages. `nextCursor` is there if `hasMore`.
    """

    scope: Literal["history_day"] = "history_day"
    thread_id: str | None
    day: str | None
    has_more: bool
    next_cursor: Annotated[str | None, Field(exclude_if=lambda cursor: cursor is None)] = None
    messages: tuple[Annotated[UserItem | DayAssistantItem, Field(discriminator="role")], ...]
