"""Responses of `GET /api/v1/agent/history`.

Source: `divination-run.md` (HIS-01 … HIS-06, HIS-08, HIS-11), `run-input.md` (HIS-12, HIS-13). `ui_schema` is a
UiSchemaRenderer, compiled from the message's hints (UIS-04).
"""

from typing import Any, Literal

from msgspec import field

from yarrow.protocol.reading_outcome import Outcome, OutcomeRecord, SessionOutcome
from yarrow.protocol.response_body import Body
from yarrow.protocol.runner.vocabulary import AnswerStatus, QuestionKind
from yarrow.protocol.usage import TokenCounts


class Attachment(Body, frozen=True, kw_only=True):
    """A picture; its URL is signed for this read (HIS-07)."""

    mime_type: str
    url: str


class _Item(Body, frozen=True, kw_only=True):
    id: str
    thread_id: str
    seq: int
    content: str
    timestamp: str


# Factories: what they make is written, as defaults are not.
def _user() -> Literal["user"]:
    return "user"


def _assistant() -> Literal["assistant"]:
    return "assistant"


def _history_day() -> Literal["history_day"]:
    return "history_day"


def _null() -> None:
    return None


def _nothing() -> tuple[Attachment, ...]:
    return ()


InterruptStatus = Literal["open", "answered", "refused", "expired", "cancelled"]


class HistoryInterrupt(Body, frozen=True, kw_only=True):
    """A question that a message is (ASK-01): `open`, or how it ended. `id` is the interrupt's."""

    id: str
    kind: QuestionKind
    status: InterruptStatus


class HistoryAnswer(Body, frozen=True, kw_only=True):
    """The answer to a question, as it was given; a cancelled one has no payload."""

    interrupt_id: str
    status: AnswerStatus
    payload: Any = field(default_factory=_null)


class UserItem(_Item, frozen=True, kw_only=True):
    """A user message (HIS-06), with what an AG-UI client gave it beside its content, if anything (MSG-07).

    One that answers questions has its `answers`.
    """

    role: Literal["user"] = field(default_factory=_user)
    attachments: tuple[Attachment, ...] = field(default_factory=_nothing)
    name: str | None = None
    encrypted_value: str | None = None
    metadata: dict[str, Any] | None = None
    answers: tuple[HistoryAnswer, ...] | None = None


class AssistantItem(_Item, frozen=True, kw_only=True):
    """An assistant message, with structured output, if any (HIS-08). In a list of sessions, `agent` is the session's
    and `outcome` what the user recorded of its reading. A question has its `interrupt`. The last message of a run that
    used models has the run's `usage`, by model.
    """

    role: Literal["assistant"] = field(default_factory=_assistant)
    agent_output: dict[str, Any] | None = field(default=None, name="agent_output")
    agent: str | None = None
    outcome: Outcome | None = None
    interrupt: HistoryInterrupt | None = None
    usage: tuple[TokenCounts, ...] | None = None


class Snapshot(Body, frozen=True, kw_only=True):
    """A history response; `day` is always null (HIS-04).

    A session has its `agent` and its `outcome`, the first page of a list the user's `record`, if the user recorded any.
    """

    scope: Literal["history_session_full", "history_sessions_latest_assistant"]
    thread_id: str | None
    day: None = field(default_factory=_null)
    has_more: bool
    messages: tuple[UserItem | AssistantItem, ...]
    agent: str | None = None
    outcome: SessionOutcome | None = None
    record: OutcomeRecord | None = None


class CardAssistantItem(AssistantItem, frozen=True, kw_only=True):
    """An assistant message with its card, or null (UIS-04)."""

    ui_schema: dict[str, Any] | None = field(default_factory=_null, name="ui_schema")


class CardSnapshot(Snapshot, frozen=True, kw_only=True):
    """A history response with cards, as asked for with `ui=2.0`; others have none (HIS-11)."""

    messages: tuple[UserItem | CardAssistantItem, ...]


class DayAssistantItem(_Item, frozen=True, kw_only=True):
    """An assistant message with its card, or null (HIS-13). A question has its `interrupt`, the last message of a run
    that used models the run's `usage`.
    """

    role: Literal["assistant"] = field(default_factory=_assistant)
    interrupt: HistoryInterrupt | None = None
    usage: tuple[TokenCounts, ...] | None = None
    ui_schema: dict[str, Any] | None = field(default_factory=_null, name="ui_schema")


class DaySnapshot(Body, frozen=True, kw_only=True):
    """The last day of a session before the requested one (HIS-12, C8).

    `day` is `YYYY-MM-DD`, or null without messages. `nextCursor` is there if `hasMore`.
    """

    scope: Literal["history_day"] = field(default_factory=_history_day)
    thread_id: str | None
    day: str | None
    has_more: bool
    next_cursor: str | None = None
    messages: tuple[UserItem | DayAssistantItem, ...]
