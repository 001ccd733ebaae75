"""What a runner's results may contain: the payload of every type the host acts on, and how it is read.

Source: `agent-runner.md` §6 (RNR-30 … RNR-42); the payloads of the tool results are those of the released runners. A
runner is foreign code, so nothing of a result is used before it was written as JSON (`foreign_json`) and read back:
what cannot be stored or sent on ends here. Members that are not known are passed over.
"""

import binascii
import re
from collections.abc import Mapping
from json.encoder import encode_basestring
from typing import Annotated, Any, Final, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, field_validator

from yarrow.formats import json_text
from yarrow.formats.json_patch import PatchOperation
from yarrow.protocol.events.divination import Divination
from yarrow.protocol.runner.vocabulary import StateKey, StateScope
from yarrow.worker.results import content_parts

MAX_RESULT_BYTES: Final = 1024 * 1024
"""The JSON of one result (RNR-42)."""
MAX_RUN_BYTES: Final = 8 * 1024 * 1024
"""The JSON of all results of a run (RNR-42)."""
MAX_STATE_BYTES: Final = 256 * 1024
"""The JSON of one value of the state (RNR-36)."""
MAX_OPERATIONS: Final = 1_000
"""The operations of one change to the shared state."""
MAX_INLINE_BYTES: Final = 1024 * 1024
"""The content of an artifact that comes inline, which is not counted as part of its result (RNR-38)."""
MAX_ARTIFACT_RESULT_BYTES: Final = MAX_RESULT_BYTES + (MAX_INLINE_BYTES + 2) // 3 * 4
"""The JSON of a result with such a content in base64."""
MAX_MESSAGE_RESULT_BYTES: Final = 16 * 1024 * 1024
"""The JSON of a message with its files; without them it is a result as any other."""

Name = Annotated[str, StringConstraints(min_length=1, max_length=256)]
PublicText = Annotated[str, StringConstraints(max_length=4_000)]
MimeType = Annotated[
    str,
    StringConstraints(
        pattern=r"^[A-Za-z0-9!#$&^_.+-]+/[A-Za-z0-9!#$&^_.+-]+(; ?charset=[A-Za-z0-9_-]+)?$", max_length=128
    ),
]


_KIND: Final = re.compile(r"[a-z_]{1,32}")


class Payload(BaseModel):
    """The `data` of a result."""

    model_config = ConfigDict(extra="ignore", frozen=True, strict=True)


class Words(Payload):
    """A message or a piece of one, in the agent's own voice. `is_final`: its message ends with it (RNR-29)."""

    role: Literal["assistant"] = "assistant"
    content: str | content_parts.Parts | None = None
    is_final: bool = False

    @property
    def text(self) -> str:
        """What is told of it."""
        content = self.content or ""
        return content if isinstance(content, str) else content_parts.text_of(content)

    @property
    def files(self) -> list[content_parts.File]:
        """What is kept of it as artifacts."""
        content = self.content or ""
        return [] if isinstance(content, str) else list(content_parts.files_of(content))


class MessageDelta(Payload):
    """A piece of a message (RNR-34).

    The calls a chunk may list are not read (RNR-29): they are what a model asks for, perhaps in pieces. A call that is
    made is told by `tool.call.started`; one that is only listed is not shown, for nobody would ever answer it.
    """

    chunk: Words


class MessageCompleted(Payload):
    """A whole message, and the structured output that goes with it (RNR-35)."""

    message: Words
    output: dict[str, Any] | None = None


class ToolCallStarted(Payload):
    """The agent calls a tool. `more`: another call of the same step follows."""

    tool_call_id: Name
    tool_name: Name
    parameters: dict[str, Any] = {}
    more: bool = False


class ToolCallCompleted(Payload):
    """A tool has answered or failed."""

    tool_call_id: Name
    result: Any = None
    error: str | None = None


class StateUpdated(Payload):
    """A value to keep with the host (RNR-36)."""

    scope: StateScope
    key: StateKey
    value: Any

    @field_validator("value")
    @classmethod
    def _is_small(cls, value: Any) -> Any:
        if len(json_text.dumps(value).encode()) > MAX_STATE_BYTES:
            raise ValueError("too large to keep")
        return value


class StateChanged(Payload):
    """A change to the state that the client shares with the agent (C46, RFC 6902): all of it or nothing."""

    delta: Annotated[tuple[PatchOperation, ...], Field(min_length=1, max_length=MAX_OPERATIONS)]


def base_name(name: str) -> str | None:
    """The name of a file without its folders, whichever system wrote it; None when nothing is left."""
    last = name.replace("\\", "/").rstrip("/").rpartition("/")[2]
    return None if last in ("", ".", "..") else last


class ArtifactCreated(Payload):
    """A file the agent made, with its content in strict base64. The host names it and says for which run (RNR-38)."""

    artifact_type: Name
    content: Annotated[bytes, Field(alias="content_base64")]
    mime_type: MimeType = "application/octet-stream"
    name: Name | None = None
    metadata: dict[str, Any] = {}
    run_id: str | None = None

    @field_validator("name")
    @classmethod
    def _base_name(cls, name: str | None) -> str | None:
        return None if name is None else base_name(name)

    @field_validator("content", mode="before")
    @classmethod
    def _decode(cls, content: Any) -> bytes:
        if not isinstance(content, str):
            raise ValueError("not text")  # noqa: TRY004 (what pydantic turns into a ValidationError)
        return binascii.a2b_base64(content.encode("ascii"), strict_mode=True)


class ActionRequested(Payload):
    """The agent asks for an action of the platform (RNR-37)."""

    action: Name
    target: dict[str, Any] = {}
    payload: dict[str, Any] = {}


class StageStarted(Payload):
    """The agent goes on to another of its stages (C32)."""

    stage: Name


class DivinationDerived(Payload):
    """The hexagrams of the run's cast (DIV-11)."""

    divination: Divination


class RunFailed(Payload):
    """The agent gives up. Both texts are public; the message may come as `error` (C16, RNR-40)."""

    code: Name = "runner.error"
    message: PublicText | None = None
    error: PublicText | None = None
    retryable: bool = False

    @field_validator("retryable", mode="before")
    @classmethod
    def _is_true(cls, value: Any) -> bool:
        return value is True  # whatever else it says, code and message stand

    @property
    def public_message(self) -> str:
        """What the client is told."""
        return self.message or self.error or "the agent failed"


class RunCompleted(Payload):
    """The agent is done. `declined` names the kind of question that it gave no reading of (CARE-05); it is counted."""

    declined: str | None = None

    @field_validator("declined", mode="before")
    @classmethod
    def _is_a_name(cls, value: Any) -> Any:
        return value if isinstance(value, str) and _KIND.fullmatch(value) else None  # the run is done, whatever it says


_PAYLOADS: Final[Mapping[str, type[Payload]]] = {
    "message.delta": MessageDelta,
    "message.completed": MessageCompleted,
    "tool.call.started": ToolCallStarted,
    "tool.call.completed": ToolCallCompleted,
    "state.updated": StateUpdated,
    "state.delta": StateChanged,
    "artifact.created": ArtifactCreated,
    "action.requested": ActionRequested,
    "stage.started": StageStarted,
    "divination.derived": DivinationDerived,
    "run.failed": RunFailed,
    "run.completed": RunCompleted,
}

TERMINAL: Final[Mapping[str, Payload]] = {"run.failed": RunFailed(), "run.completed": RunCompleted()}
"""What a result that ends the run says when its data says nothing sensible: it ends the run all the same."""


def is_known(type_: str) -> bool:
    """Whether the host acts on results of this type."""
    return type_ in _PAYLOADS


_MAX_BYTES: Final[Mapping[str, int]] = {
    "artifact.created": MAX_ARTIFACT_RESULT_BYTES,
    "message.delta": MAX_MESSAGE_RESULT_BYTES,
    "message.completed": MAX_MESSAGE_RESULT_BYTES,
}


def max_bytes(type_: str) -> int:
    """The most that the JSON of one result may take."""
    return _MAX_BYTES.get(type_, MAX_RESULT_BYTES)


def words_of(payload: Payload) -> Words | None:
    """The message or piece of one that a result tells."""
    match payload:
        case MessageDelta(chunk=words) | MessageCompleted(message=words):
            return words
    return None


def read(type_: str, text: str) -> Payload:
    """The payload of a known type. Raises ValueError when it is malformed."""
    return _PAYLOADS[type_].model_validate_json(text)


class PlainDelta(NamedTuple):
    """A `message.delta` with nothing unusual about it, and the bytes its JSON takes at most."""

    content: str
    is_final: bool
    size: int


_FRAME_BYTES: Final = len('{"chunk":{"role":"assistant","content":,"is_final":false}}')


def size_of_delta(content: str) -> int:
    """The bytes that the JSON of a `message.delta` takes at most. Raises UnicodeEncodeError for a lone surrogate."""
    return _FRAME_BYTES + len(encode_basestring(content).encode())


def plain_delta(data: Any) -> PlainDelta | None:
    """The same as writing a `message.delta` as JSON and reading it back, where that is sure to change nothing.

    That is by far the most frequent result. None for one that has other members, is of other types, or may be too
    large: it goes the long way. Every value is looked at once, since its runner might change it meanwhile.
    """
    if type(data) is not dict or len(data) != 1 or type(chunk := data.get("chunk")) is not dict:
        return None
    chunk = chunk.copy()
    content, role, is_final = chunk.pop("content", None), chunk.pop("role", "assistant"), chunk.pop("is_final", False)
    if chunk or type(content) is not str or type(is_final) is not bool or type(role) is not str or role != "assistant":
        return None
    try:
        size = size_of_delta(content)
    except UnicodeEncodeError:
        return None
    return PlainDelta(content, is_final, size) if size <= MAX_RESULT_BYTES else None
