"""What a runner asks its user, and the answer (ASK-01)."""

from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from yarrow.protocol.runner.vocabulary import AnswerStatus, OnExpiry, QuestionKind

DEFAULT_EXPIRY: Final = 7 * 86_400
MAX_EXPIRY: Final = 21 * 86_400
"""Seconds that a question is open. Steps are kept longer: see `yarrow.store.questions.KEPT_DAYS`."""

MESSAGE_CHARACTERS: Final = 10_000


class Option(BaseModel):
    """One of the choices. `value` is the answer, `label` what people read."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    value: Annotated[str, StringConstraints(min_length=1, max_length=512)]
    label: Annotated[str, StringConstraints(min_length=1, max_length=512)] | None = None
    description: Annotated[str, StringConstraints(max_length=2_000)] | None = None


class Question(BaseModel):
    """A question to the run's user.

    `options` are the choices of a `choice`, `response_schema` is the JSON schema of a `form`'s answer. `expires_in` is
    in seconds; `on_expiry` says whether the run then goes on. `fallback_text` is shown in place of `message` by clients
    that only show text. `tool_call_id` is the call, as `tool.call.started` names it, that the question is about.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    message: Annotated[str, StringConstraints(min_length=1, max_length=MESSAGE_CHARACTERS)]
    kind: QuestionKind = "confirmation"
    options: Annotated[tuple[Option, ...], Field(max_length=100)] = ()
    response_schema: dict[str, Any] | None = None
    expires_in: Annotated[int, Field(ge=10, le=MAX_EXPIRY)] = DEFAULT_EXPIRY
    on_expiry: Annotated[OnExpiry, Field(exclude_if=lambda on_expiry: on_expiry == "stop")] = "stop"
    """Left out of JSON by default: calls are known by it, also those of before this member."""
    fallback_text: Annotated[str, StringConstraints(min_length=1, max_length=20_000)] | None = None
    tool_call_id: Annotated[str, StringConstraints(min_length=1, max_length=256)] | None = None


class Answer(BaseModel):
    """How a question ended.

    `value` of an `answered` one is True for a confirmation, the chosen value, the text, or the form's object. A
    confirmation is `refused` by a no; `cancelled` means that the user gave no answer.
    """

    model_config = ConfigDict(extra="ignore", frozen=True)

    status: AnswerStatus
    value: Any = None
    reason: str | None = None
    """Why a confirmation was refused, if the user said so."""

    @property
    def is_yes(self) -> bool:
        """Whether the user confirmed."""
        return self.status == "answered" and self.value is True


OPEN: Final = "unanswered"
"""The member, true, of the host's document for a question without an answer: the runner stops here."""

ASKED: Final = "question.asked"
"""The result of a remote runner that stops at a question; `data` has the call's `question` and `occurrence`."""
