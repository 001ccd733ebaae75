"""Reads the page's commands (WSP-01, WSP-35): strict where state could be damaged, tolerant where the page is.

A missing or null payload is empty, a missing sessionId means the active session, unknown types and members are
ignored.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, cast, get_args

from yarrow.formats import json_text
from yarrow.protocol.workspace import files
from yarrow.protocol.workspace.errors import CommandError, ErrorCode
from yarrow.protocol.workspace.files import RejectedFile, SentFile
from yarrow.protocol.workspace.runtime_context import RuntimeContext, without_secrets

MAX_FRAME_BYTES: Final = 128 * 1024
"""The most bytes of a frame: API Gateway's limit of a message."""
MAX_TEXT: Final = 10_000
"""The most characters of a text, as for every run."""
MAX_NAME: Final = 120
MAX_ID: Final = 128
MAX_LINE: Final = 2_000

Action = Literal["pause", "resume", "retry", "cancel"]

_LANGUAGE: Final = re.compile(r"[a-z]{2,3}(-[a-z0-9]{2,8}){0,3}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Envelope:
    """A frame as read: its type, the task it names if any, and its payload."""

    type: str
    task_name: str | None
    payload: Mapping[str, Any]
    request_id: str | int | None = None


@dataclass(frozen=True, slots=True)
class PageSettings:
    """The page's language and model, if any, which every command may have."""

    language: str | None = None
    model: str = ""


@dataclass(frozen=True, slots=True)
class Init:
    """`agent_init` (WSP-04)."""


@dataclass(frozen=True, slots=True)
class CreateSession:
    """`agent_session_create` (WSP-05); a blank name means the default."""

    name: str


@dataclass(frozen=True, slots=True)
class DeleteSession:
    """`agent_session_delete` (WSP-06)."""

    session_id: str | None


@dataclass(frozen=True, slots=True)
class SwitchSession:
    """`agent_session_switch` (WSP-07)."""

    session_id: str | None


@dataclass(frozen=True, slots=True)
class UpdateContext:
    """`agent_session_context_update` (WSP-08)."""

    session_id: str | None
    context: RuntimeContext | None


@dataclass(frozen=True, slots=True)
class Input:
    """`agent_user_input` (WSP-09)."""

    session_id: str | None
    text: str


@dataclass(frozen=True, slots=True)
class ChooseOption:
    """`agent_user_option` (WSP-10)."""

    session_id: str | None
    question_id: str
    question_text: str
    option_id: str
    option_label: str


@dataclass(frozen=True, slots=True)
class AnswerQuestion:
    """`agent_user_answer` (WSP-11)."""

    session_id: str | None
    question_id: str
    question_text: str
    answer: str


@dataclass(frozen=True, slots=True)
class Attach:
    """`agent_user_attachment` (WSP-12)."""

    session_id: str | None
    files: tuple[SentFile, ...]
    rejected: tuple[RejectedFile, ...]
    question_id: str
    question_text: str


@dataclass(frozen=True, slots=True)
class Control:
    """`agent_execution_control` (WSP-15)."""

    session_id: str | None
    action: Action


@dataclass(frozen=True, slots=True)
class Unsupported:
    """A command of the page that no agent here serves (WSP-36)."""

    type: str


Command = (
    Init
    | CreateSession
    | DeleteSession
    | SwitchSession
    | UpdateContext
    | Input
    | ChooseOption
    | AnswerQuestion
    | Attach
    | Control
    | Unsupported
)


def read_envelope(text: str) -> Envelope:
    """Read a frame. Raises CommandError if it is too large or malformed."""
    raw = text.encode(errors="replace")
    if len(raw) > MAX_FRAME_BYTES:
        limit = MAX_FRAME_BYTES // 1024
        raise CommandError(ErrorCode.PAYLOAD_TOO_LARGE, f"a frame must have at most {limit} KB; upload larger files")
    try:
        frame = json_text.loads(raw)
        if b"\\u" in raw:
            frame = json_text.replace_lone_surrogates(frame)
        json_text.canonical(frame)
    except json_text.UnreadableError as error:
        raise CommandError(ErrorCode.FRAME_INVALID, f"the frame {error}") from error
    if not isinstance(frame, dict) or not isinstance(frame.get("type"), str):
        raise CommandError(ErrorCode.FRAME_INVALID, "the frame must be an object with a type")
    task, payload = frame.get("taskName"), frame.get("payload")
    if payload is not None and not isinstance(payload, dict):
        raise CommandError(ErrorCode.FRAME_INVALID, "payload must be an object")
    return Envelope(
        frame["type"], task if isinstance(task, str) and task else None, payload or {}, _request_id(payload)
    )


def settings_of(envelope: Envelope) -> PageSettings:
    """Read the page's language and model in a command."""
    language, model = envelope.payload.get("language"), envelope.payload.get("model")
    named = _text(language, MAX_ID)
    return PageSettings(named if _LANGUAGE.fullmatch(named) else None, _text(model, MAX_ID))


def runtime_context_of(envelope: Envelope) -> RuntimeContext | None:
    """Read the session's runtime context in a command, without secrets; None if it has none."""
    return without_secrets(envelope.payload.get("runtimeContext"))


def command_of(envelope: Envelope) -> Command | None:
    """Read the command of a frame; None for `heart_beat` and unknown types, which are ignored (WSP-35).

    Raises CommandError for a malformed one.
    """
    read = _READERS.get(envelope.type)
    return None if read is None else read(envelope)


def _request_id(payload: Mapping[str, Any] | None) -> str | int | None:
    value = (payload or {}).get("requestId")
    if isinstance(value, str):
        return value[:MAX_ID]
    return value if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**53 else None


def _session(of: Envelope) -> str | None:
    value = of.payload.get("sessionId")
    return value if isinstance(value, str) and value.strip() else None


def _text(value: Any, most: int) -> str:
    return value.strip()[:most] if isinstance(value, str) else ""


def _input(of: Envelope) -> Input:
    value = of.payload.get("text")
    text = value.strip() if isinstance(value, str) else ""
    if len(text) > MAX_TEXT:
        raise CommandError(ErrorCode.INPUT_TOO_LONG, f"a text must have at most {MAX_TEXT} characters")
    return Input(_session(of), text)


def _option(of: Envelope) -> ChooseOption:
    payload = of.payload
    return ChooseOption(
        _session(of),
        _text(payload.get("questionId"), MAX_ID),
        _text(payload.get("questionText"), MAX_LINE),
        _text(payload.get("optionId"), MAX_ID),
        _text(payload.get("optionLabel"), MAX_LINE),
    )


def _answer(of: Envelope) -> AnswerQuestion:
    value = of.payload.get("answer")
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    text = str(value) if is_number else value.strip() if isinstance(value, str) else ""
    if len(text) > MAX_LINE:
        raise CommandError(ErrorCode.INPUT_TOO_LONG, f"an answer must have at most {MAX_LINE} characters")
    about = of.payload.get("questionId"), of.payload.get("questionText")
    return AnswerQuestion(_session(of), _text(about[0], MAX_ID), _text(about[1], MAX_LINE), text)


def _attach(of: Envelope) -> Attach:
    question = _text(of.payload.get("questionId"), MAX_ID)
    text = _text(of.payload.get("questionText"), MAX_LINE)
    return Attach(
        _session(of),
        files.read_files(of.payload.get("attachments"), question, text),
        files.read_rejected(of.payload.get("rejected"), question),
        question,
        text,
    )


def _control(of: Envelope) -> Control:
    action = of.payload.get("action")
    if action not in get_args(Action):
        raise CommandError(ErrorCode.ACTION_UNKNOWN, f"action must be one of {', '.join(get_args(Action))}")
    return Control(_session(of), cast("Action", action))


_READERS: Final[Mapping[str, Callable[[Envelope], Command | None]]] = {
    "agent_init": lambda _: Init(),
    "agent_session_create": lambda of: CreateSession(_text(of.payload.get("name"), MAX_NAME)),
    "agent_session_delete": lambda of: DeleteSession(_session(of)),
    "agent_session_switch": lambda of: SwitchSession(_session(of)),
    "agent_session_context_update": lambda of: UpdateContext(_session(of), runtime_context_of(of)),
    "agent_user_input": _input,
    "agent_user_option": _option,
    "agent_user_answer": _answer,
    "agent_user_attachment": _attach,
    "agent_execution_control": _control,
    "agent_subtask_action": lambda of: Unsupported(of.type),
    "agent_reset_memory": lambda of: Unsupported(of.type),
    "agent_update_save_path": lambda _: None,  # the desktop app's own folder
}

COMMANDS: Final = (*_READERS, "heart_beat")
"""The types of commands that are read or, like the heart beat, known to be ignored."""
