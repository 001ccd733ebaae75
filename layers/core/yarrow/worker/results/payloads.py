"""The payloads of a runner's results.

Source: `agent-runner.md` §6 (RNR-30 … RNR-42); tool payloads are those of released runners. A runner is foreign code:
results are serialised to JSON (`foreign_json`) and parsed, so only storable values pass. Unknown members are ignored.
"""

import binascii
import re
from typing import Annotated, Any, Final, Literal, NamedTuple, Self, cast

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, field_validator

from yarrow.formats import json_text
from yarrow.formats.json_patch import Operation
from yarrow.protocol.runner.names import StateKey
from yarrow.protocol.runner.vocabulary import StateScope
from yarrow.worker.results import content_parts, result_parts
from yarrow.worker.results.patch_operations import PatchOperation
from yarrow.worker.results.result_parts import ResultParts

MAX_RESULT_BYTES: Final = 1024 * 1024
"""JSON bytes of one result (RNR-42)."""
MAX_RUN_BYTES: Final = 8 * 1024 * 1024
"""JSON bytes of all results of a run (RNR-42)."""
MAX_STATE_BYTES: Final = 256 * 1024
"""JSON bytes of one state value (RNR-36)."""
MAX_OPERATIONS: Final = 1_000
"""Operations of one change to the shared state."""
MAX_METADATA_BYTES: Final = 8 * 1024
"""JSON bytes of a call's or a result's metadata."""
MAX_INLINE_BYTES: Final = 1024 * 1024
"""Bytes of an inline artifact, not counted as part of its result (RNR-38)."""
MAX_ARTIFACT_RESULT_BYTES: Final = MAX_RESULT_BYTES + (MAX_INLINE_BYTES + 2) // 3 * 4
"""JSON bytes of a result with such an artifact in base64."""
MAX_MESSAGE_RESULT_BYTES: Final = 16 * 1024 * 1024
"""JSON bytes of a message with its files; without them MAX_RESULT_BYTES applies."""
MAX_PICTURE_BYTES: Final = 5 * 1024 * 1024
"""Bytes of a picture in a tool's result, as models and attachments have them."""
MAX_MEDIA_BYTES: Final = 16 * 1024 * 1024
"""Bytes of base64 in the results of a run's tools; they do not count as JSON of results."""
TOO_LARGE: Final = "the result is too large to show"

Name = Annotated[str, StringConstraints(min_length=1, max_length=256)]
PublicText = Annotated[str, StringConstraints(max_length=4_000)]
MimeType = Annotated[
    str,
    StringConstraints(
        pattern=r"^[A-Za-z0-9!#$&^_.+-]+/[A-Za-z0-9!#$&^_.+-]+(; ?charset=[A-Za-z0-9_-]+)?$", max_length=128
    ),
]


def _metadata(value: Any) -> dict[str, Any] | None:
    """Return an object of at most MAX_METADATA_BYTES; a larger one, or anything else, is left out."""
    is_small = isinstance(value, dict) and len(json_text.dumps(value).encode()) <= MAX_METADATA_BYTES
    return value or None if is_small else None


Metadata = Annotated[dict[str, Any] | None, BeforeValidator(_metadata)]
"""What an agent adds for its own clients."""

SubagentName = Annotated[
    str | None, BeforeValidator(lambda value: value if isinstance(value, str) and len(value) <= _MAX_NAME else None)
]
_MAX_NAME: Final = 256

_KIND: Final = re.compile(r"[a-z_]{1,32}")


class Payload(BaseModel):
    """The `data` of a result."""

    model_config = ConfigDict(extra="ignore", frozen=True, strict=True)


class MessageContent(Payload):
    """A message or a piece of one. `is_final`: its message ends with it (RNR-29)."""

    role: Literal["assistant"] = "assistant"
    content: str | content_parts.Parts | None = None
    is_final: bool = False

    @property
    def text(self) -> str:
        """The text to emit."""
        content = self.content or ""
        return content if isinstance(content, str) else content_parts.text_of(content)

    @property
    def files(self) -> list[content_parts.File]:
        """The files to store as artifacts."""
        content = self.content or ""
        return [] if isinstance(content, str) else list(content_parts.files_of(content))


class Attributed(Payload):
    """What a nested agent may have made, the runner's own if `subagent_run_id` is None or unknown (EVT-34)."""

    subagent_run_id: SubagentName = None


class MessageDelta(Attributed):
    """A piece of a message (RNR-34).

    Calls listed in a chunk are ignored (RNR-29): they are a model's request, perhaps partial. Only `tool.call.started`
    announces a call.
    """

    chunk: MessageContent


class MessageCompleted(Attributed):
    """A whole message with its structured output (RNR-35)."""

    message: MessageContent
    output: dict[str, Any] | None = None


class ReasoningDelta(Attributed):
    """A piece of the agent's reasoning, for the client to show."""

    content: str


class ReasoningCompleted(Attributed):
    """The whole of it, with the model's opaque value, if the client is to send it back."""

    content: str = ""
    encrypted_value: str | None = None


class ToolCallStarted(Attributed):
    """The agent calls a tool. `more`: another call of the same round follows."""

    tool_call_id: Name
    tool_name: Name
    parameters: dict[str, Any] = {}
    more: bool = False
    metadata: Metadata = None


class ToolCallCompleted(Payload):
    """A tool has answered or failed. `content` are the parts that clients get in place of `result`, if it has media."""

    tool_call_id: Name
    result: Any = None
    error: str | None = None
    content: ResultParts = ()
    metadata: Metadata = None

    @property
    def media_bytes(self) -> int:
        """The bytes of base64 in its parts."""
        return sum(len(found[1]) for part in self.content if (found := result_parts.inline(part)))

    def without_media(self) -> Self:
        """Return the result with a line in place of what its parts have inline."""
        return self.model_copy(update={"content": tuple(map(result_parts.unopened, self.content))})

    def refused(self) -> Self:
        """Return the error of a result that is too large."""
        return type(self)(tool_call_id=self.tool_call_id, error=TOO_LARGE)


class StateUpdated(Payload):
    """A value of persistent state (RNR-36)."""

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
    """A change to the shared state (C46, RFC 6902), applied atomically."""

    delta: Annotated[tuple[PatchOperation, ...], Field(min_length=1, max_length=MAX_OPERATIONS)]

    @property
    def operations(self) -> tuple[Operation, ...]:
        """The operations as they are applied and stored."""
        return tuple(cast("Operation", operation.model_dump(mode="json")) for operation in self.delta)


class ActivityShown(Attributed):
    """An activity of AG-UI; `replace` is whether it takes the place of one with its id."""

    activity_id: Name
    activity_type: Name
    content: dict[str, Any]
    replace: bool = True


class ActivityChanged(StateChanged):
    """A change of an activity's content (RFC 6902), applied atomically."""

    activity_id: Name


def base_name(name: str) -> str | None:
    """A file name without its folders, of any system; None if nothing is left."""
    last = name.replace("\\", "/").rstrip("/").rpartition("/")[2]
    return None if last in ("", ".", "..") else last


class ArtifactCreated(Payload):
    """A file the agent created, in strict base64. The host names it (RNR-38)."""

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
    """A request for a platform action (RNR-37)."""

    action: Name
    target: dict[str, Any] = {}
    payload: dict[str, Any] = {}


class CustomSent(Payload):
    """A CUSTOM event of AG-UI, if the binding allows its name (EVT-35)."""

    name: Name
    value: Any = None


class StageStarted(Payload):
    """The agent enters another of its stages (C32)."""

    stage: Name


def _usage(reported: Any) -> tuple[dict[str, Any], ...]:
    """Return the valid entries of AG-UI's list; another shape is a runner's own note."""
    if not isinstance(reported, list):
        return ()
    from yarrow.protocol import token_usage  # few runners call models themselves

    return token_usage.summed([found for member in reported if (found := token_usage.entry(member)) is not None])


Usage = Annotated[tuple[dict[str, Any], ...], BeforeValidator(_usage)]
"""Tokens by model as AG-UI counts them, of models that the runner called without the host (EVT-31)."""


class SubagentBegan(Payload):
    """The agent calls another one; the id is of this one call. The parent is an agent or a tool call, if known."""

    subagent_run_id: Name
    name: Name
    description: PublicText | None = None
    parent_subagent_run_id: SubagentName = None
    parent_tool_call_id: SubagentName = None


class SubagentEnded(Payload):
    """A nested agent is done."""

    subagent_run_id: Name
    result: Any = None


class SubagentFailed(Payload):
    """A nested agent failed; the run may go on. The texts are public."""

    subagent_run_id: Name
    message: PublicText = "the agent failed"
    code: Name | None = None


class RunFailed(Payload):
    """The agent failed. Both texts are public; the message may come as `error` (C16, RNR-40)."""

    code: Name = "runner.error"
    message: PublicText | None = None
    error: PublicText | None = None
    retryable: bool = False
    usage: Usage = ()

    @field_validator("retryable", mode="before")
    @classmethod
    def _is_true(cls, value: Any) -> bool:
        return value is True  # code and message remain, whatever else it has

    @property
    def public_message(self) -> str:
        """The message for the client."""
        return self.message or self.error or "the agent failed"


class RunCompleted(Payload):
    """The agent completed. `declined` names the kind of question it gave no reading of (CARE-05), for a metric."""

    declined: str | None = None
    usage: Usage = ()

    @field_validator("declined", mode="before")
    @classmethod
    def _is_a_name(cls, value: Any) -> Any:
        return value if isinstance(value, str) and _KIND.fullmatch(value) else None  # the run is done anyhow


class Shown(NamedTuple):
    """A result for a workspace as its event shows it, and the text of the message that the event describes, if any."""

    name: str
    value: dict[str, Any]
    message_id: str = ""
    content: str = ""


def content_of_message(payload: object) -> MessageContent | None:
    """Return the message, or the piece of one, in a result."""
    match payload:
        case MessageDelta(chunk=words) | MessageCompleted(message=words):
            return words
    return None
