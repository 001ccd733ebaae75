"""The codes of `agent_error` (WSP-31): strings, never renamed or removed (C30)."""

from enum import Enum
from typing import Any


class ErrorCode(Enum):
    """A code and its meaning."""

    FRAME_INVALID = "frame_invalid", "The frame is not JSON, or not an object with a type and a payload."
    PAYLOAD_TOO_LARGE = "payload_too_large", "The frame or a file in it is too large; upload the file, or send fewer."
    TASK_UNKNOWN = "task_unknown", "No agent with a workspace has this taskName."
    TASK_MISMATCH = "task_mismatch", "The connection was opened for another taskName."
    SESSION_NOT_FOUND = "session_not_found", "The user has no such session in this workspace."
    INPUT_TOO_LONG = "input_too_long", "The text exceeds the limit of a message."
    OPTION_UNKNOWN = "option_unknown", "The question or message offers no such option."
    QUESTION_UNKNOWN = "question_unknown", "The session asks no such question."
    ANSWER_INVALID = "answer_invalid", "The answer is not of the question's inputType."
    ATTACHMENT_INVALID = "attachment_invalid", "A file has no name, is not strict base64, or differs from its `size`."
    ACTION_UNKNOWN = "action_unknown", "The action is not pause, resume, retry or cancel."
    COMMAND_UNSUPPORTED = "command_unsupported", "The agent does not take this command."
    TOO_MANY_WAITING = "too_many_waiting", "Too many commands of the session wait already; repeat it later."
    RATE_LIMITED = "rate_limited", "The user sends too many commands a minute; repeat it later."
    STORAGE_FULL = "storage_full", "The user's files have reached the storage limit."
    UNAVAILABLE = "unavailable", "A backing service is busy; repeat the command."

    def __init__(self, code: str, meaning: str) -> None:
        self.code = code
        self.meaning = meaning


class CommandError(Exception):
    """A command that is refused, with nothing changed. `message` is public; the page shows it in an alert."""

    def __init__(self, code: ErrorCode, message: str, **params: Any) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.params = params
