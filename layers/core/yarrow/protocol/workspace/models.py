"""The JSON objects that the page stores and shows. None of their members is ever null (C55)."""

from collections.abc import Mapping
from typing import Any, Final, Literal, NotRequired, TypedDict

MAX_MESSAGE_BYTES: Final = 64 * 1024
"""The most bytes of a message as JSON, so that it always fits in a frame."""

PREVIEW_CHARACTERS: Final = 16 * 1024
"""Pictures of at most this much base64 are shown in the conversation itself; of others, name and size are."""

Prompt = Mapping[str, Any]
"""A prompt that `yarrow.protocol.workspace.surface` has checked."""


class Attachment(TypedDict):
    """A file in a message."""

    name: str
    mimeType: str
    size: int
    contentBase64: NotRequired[str]


class Message(TypedDict):
    """A message (WSP-22). `createdAt` is in milliseconds, and strictly increasing in a workspace."""

    id: str
    role: Literal["user", "assistant"]
    content: str
    createdAt: int
    questionId: NotRequired[str]
    questionText: NotRequired[str]
    selectedOptionId: NotRequired[str]
    options: NotRequired[list[dict[str, Any]]]
    attachments: NotRequired[list[Attachment]]
    questionType: NotRequired[str]
    buttonLabel: NotRequired[str]
    allowMultiple: NotRequired[bool]
    acceptKinds: NotRequired[list[str]]
    maxSizeMB: NotRequired[float]
    uploadMode: NotRequired[str]
    _thinking: NotRequired[bool]


class Log(TypedDict):
    """A line of the log (WSP-29)."""

    id: str
    time: int
    text: str
    level: str
    source: str
    key: NotRequired[str]


class Subtask(TypedDict):
    """A step of the work (WSP-27)."""

    key: str
    status: str
    updatedAt: int
    actionLabel: NotRequired[str]


class Artifact(TypedDict):
    """A file that was made (WSP-28)."""

    id: str
    type: str
    title: str
    filePath: str
    relativePath: str


class SentArtifact(Artifact):
    """An artifact as it is sent: with a URL that opens it, if one could be signed."""

    url: NotRequired[str]


class SessionEntry(TypedDict):
    """A session in the list (WSP-20)."""

    id: str
    name: str
    updatedAt: int


class Execution(TypedDict):
    """The state of a session's work (WSP-30): `started` once anything ran in it."""

    paused: bool
    canceled: bool
    started: bool
