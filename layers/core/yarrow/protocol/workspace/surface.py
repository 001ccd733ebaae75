"""A runner's results for a workspace, `workspace.*`, and the events of the same names.

Source: `workspace.md` (WSP-23 … WSP-27, WSP-29). camelCase as the page reads it; an absent member is left out, and null
is refused, since the page cannot render it (C55).
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final, Literal, Self, get_args

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, field_validator, model_validator
from pydantic.alias_generators import to_camel

from yarrow.formats.omitted import Optional

PROMPT: Final = "workspace.prompt"
QUESTION: Final = "workspace.question"
MESSAGE: Final = "workspace.message"
SUBTASKS: Final = "workspace.subtasks"
LOG: Final = "workspace.log"

CONTENT_CHARACTERS: Final = 20_000
LINE_CHARACTERS: Final = 2_000
MAX_QUESTIONS: Final = 50
MAX_OPTIONS: Final = 50
MAX_SUBTASKS: Final = 50
MAX_PROMPT_BYTES: Final = 24 * 1024

Id = Annotated[str, StringConstraints(min_length=1, max_length=128)]
Label = Annotated[str, StringConstraints(max_length=500)]
Line = Annotated[str, StringConstraints(max_length=LINE_CHARACTERS)]
Megabytes = Annotated[int | float, Field(gt=0, le=1_000, allow_inf_nan=False)]

FileKind = Literal["image", "pdf", "doc", "sheet", "text", "file"]
UploadMode = Literal["upload", "paste"]
Status = Literal["pending", "running", "review", "done", "failed"]
Level = Literal["info", "warn", "error", "debug"]
InputType = Literal["text", "textarea", "number", "date", "time", "datetime-local", "month", "email", "tel", "url"]

FILE_KINDS: Final[tuple[str, ...]] = get_args(FileKind)


def _camel(name: str) -> str:
    return "maxSizeMB" if name == "max_size_mb" else to_camel(name)


class _Wire(BaseModel):
    model_config = ConfigDict(
        alias_generator=_camel, populate_by_name=True, extra="forbid", frozen=True, serialize_by_alias=True
    )

    @model_validator(mode="before")
    @classmethod
    def _has_no_null(cls, members: Any) -> Any:
        if isinstance(members, Mapping) and any(value is None for value in members.values()):
            raise ValueError("a member must be left out, not null")
        return members

    def document(self) -> dict[str, Any]:
        """Return the JSON that is stored and sent."""
        return self.model_dump(mode="json", by_alias=True, exclude_none=True)


class Option(_Wire):
    """One choice."""

    id: Id
    label: Label


class AttachmentPolicy(_Wire):
    """What files a session takes (WSP-24); no kinds means all."""

    max_size_mb: Optional[Megabytes] = None
    allowed_kinds: Optional[tuple[FileKind, ...]] = None


class _Upload(_Wire):
    """What a request for files may say (WSP-23, WSP-25)."""

    button_label: Optional[Label] = None
    allow_multiple: Optional[bool] = None
    accept_kinds: Optional[tuple[FileKind, ...]] = None
    max_size_mb: Optional[Megabytes] = None
    upload_mode: Optional[UploadMode] = None


class Question(_Upload):
    """A question of a prompt: a choice if it has options, an upload, or an input (WSP-25)."""

    id: Id
    text: Line
    type: Optional[Literal["choice", "input", "upload"]] = None
    options: Optional[Annotated[tuple[Option, ...], Field(max_length=MAX_OPTIONS)]] = None
    selected_option_id: Optional[Annotated[str, StringConstraints(max_length=128)]] = None
    input_type: Optional[InputType] = None
    placeholder: Optional[Label] = None
    answer_value: Optional[Line] = None
    uploaded: Optional[bool] = None
    group: Optional[Label] = None
    section: Optional[Label] = None

    @property
    def kind(self) -> Literal["choice", "input", "upload"]:
        """The kind, as the page decides it."""
        return kind_of(self.options, self.type)

    @field_validator("options")
    @classmethod
    def _names_each_once(cls, options: tuple[Option, ...] | None) -> tuple[Option, ...] | None:
        _require_unique([option.id for option in options or ()])
        return options

    @model_validator(mode="after")
    def _is_of_one_kind(self) -> Self:
        if self.type is not None and self.type != self.kind:
            raise ValueError("options are required for a choice, and not allowed otherwise")
        if self.selected_option_id and self.selected_option_id not in {option.id for option in self.options or ()}:
            raise ValueError("selectedOptionId is not one of the options")
        return self


class Prompt(_Wire):
    """The questions that a session asks (WSP-24). Empty: it asks nothing any more."""

    text: Optional[Line] = None
    attachment_policy: Optional[AttachmentPolicy] = None
    questions: Optional[Annotated[tuple[Question, ...], Field(max_length=MAX_QUESTIONS)]] = None

    @field_validator("questions")
    @classmethod
    def _asks_each_once(cls, questions: tuple[Question, ...] | None) -> tuple[Question, ...] | None:
        _require_unique([question.id for question in questions or ()])
        return questions

    @model_validator(mode="after")
    def _fits_in_a_frame(self) -> Self:
        if len(self.model_dump_json().encode()) > MAX_PROMPT_BYTES:
            raise ValueError(f"a prompt must have at most {MAX_PROMPT_BYTES} bytes")
        return self

    def document(self) -> dict[str, Any]:
        """Return it as the page reads it: with text and questions; an unanswered question has an empty answer."""
        if not self.model_fields_set:
            return {}
        members = super().document()
        return {
            "text": "",
            **members,
            "questions": [question_document(question.document()) for question in self.questions or ()],
        }


class QuestionAsked(_Wire):
    """One more question, or another version of one (WSP-26)."""

    question: Question

    def document(self) -> dict[str, Any]:
        return {"question": question_document(self.question.document())}


class _MessageParts(_Upload):
    options: Optional[Annotated[tuple[Option, ...], Field(max_length=MAX_OPTIONS)]] = None
    question_id: Optional[Id] = None
    question_text: Optional[Line] = None
    question_type: Optional[Literal["upload"]] = None

    @field_validator("options")
    @classmethod
    def _names_each_once(cls, options: tuple[Option, ...] | None) -> tuple[Option, ...] | None:
        _require_unique([option.id for option in options or ()])
        return options

    @model_validator(mode="after")
    def _says_which_question(self) -> Self:
        if self.question_type == "upload" and self.question_id is None:
            raise ValueError("an upload request requires a questionId")
        return self


class Message(_MessageParts):
    """A message with choices or a request for files (WSP-22, WSP-23)."""

    content: Annotated[str, StringConstraints(min_length=1, max_length=CONTENT_CHARACTERS)]

    def parts(self, message_id: str) -> "MessageParts":
        """Return its event without the text, which is a text message under the same id."""
        members = self.model_dump(exclude={"content"}, exclude_none=True, by_alias=False)
        return MessageParts(message_id=message_id, **members)


class MessageParts(_MessageParts):
    """The event before a message's text."""

    message_id: Id


class Subtask(_Wire):
    """One step of the work (WSP-27)."""

    key: Id
    status: Status
    action_label: Optional[Label] = None


class Subtasks(_Wire):
    """All steps, in order."""

    items: Annotated[tuple[Subtask, ...], Field(max_length=MAX_SUBTASKS)]

    @field_validator("items")
    @classmethod
    def _names_each_once(cls, items: tuple[Subtask, ...]) -> tuple[Subtask, ...]:
        _require_unique([item.key for item in items])
        return items


class Log(_Wire):
    """A line of the log (WSP-29); with the `key` of a subtask it shows there."""

    text: Line
    level: Level = "info"
    source: Optional[Id] = None
    key: Optional[Id] = None


RESULTS: Final[Mapping[str, type[Prompt | QuestionAsked | Message | Subtasks | Log]]] = {
    PROMPT: Prompt,
    QUESTION: QuestionAsked,
    MESSAGE: Message,
    SUBTASKS: Subtasks,
    LOG: Log,
}
"""The results by type. Their events have the same members, but for MESSAGE, whose event has MessageParts."""


_UNANSWERED: Final[Mapping[str, Mapping[str, str]]] = {
    "choice": {"selectedOptionId": ""},
    "input": {"type": "input", "answerValue": ""},
    "upload": {"type": "upload"},
}


def question_document(question: Mapping[str, Any]) -> dict[str, Any]:
    """Return a valid question as the page reads it: without an answer, with an empty one."""
    return {**_UNANSWERED[kind_of(question.get("options"), question.get("type"))], **question}


def kind_of(options: object, type_: object) -> Literal["choice", "input", "upload"]:
    """Return the kind of a question, as the page decides it."""
    if options:
        return "choice"
    return "upload" if type_ == "upload" else "input"


def _require_unique(ids: Sequence[str]) -> None:
    if len(set(ids)) < len(ids):
        raise ValueError("an id is repeated")
