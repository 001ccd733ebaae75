"""The events of a run: AG-UI's and those that agents declare, and their JSON.

Source: `agui-http-agent.md` and `divination-run.md` (EVT-07 … EVT-18, EVT-25, EVT-29, DIV-11, DIV-28). Members are
checked when a line is read; type checkers check those of new events.
"""

from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, TypeAlias, TypeVar, cast, get_args

import msgspec
from msgspec import Meta, field

from yarrow.formats.json_patch import Operation
from yarrow.protocol.events.framing import FRAMING as FRAMING
from yarrow.protocol.events.framing import INTERRUPTED as INTERRUPTED
from yarrow.protocol.events.framing import BaseEvent as BaseEvent
from yarrow.protocol.events.framing import Framed
from yarrow.protocol.events.framing import RunIds as RunIds
from yarrow.protocol.events.lines import event_type

if TYPE_CHECKING:
    from yarrow.protocol.events.subagents import SubagentEvent

Delta: TypeAlias = Annotated[str, Meta(min_length=1)]


class RunStarted(BaseEvent, frozen=True, kw_only=True, tag="RUN_STARTED"):
    """The first event (EVT-07)."""

    parent_run_id: str | None = None


class RunFinished(BaseEvent, frozen=True, kw_only=True, tag="RUN_FINISHED"):
    """Success, or questions to the user in `outcome` (ASK-02); the last event (EVT-08)."""

    result: dict[str, Any] | None = None
    outcome: dict[str, Any] | None = None
    usage: tuple[dict[str, Any], ...] | None = None
    """Tokens by model (EVT-31)."""


class RunError(BaseEvent, frozen=True, kw_only=True, tag="RUN_ERROR"):
    """Failure or cancellation; the last event (EVT-08). `message` is public."""

    message: str
    code: str | None = None
    usage: tuple[dict[str, Any], ...] | None = None


class StepStarted(BaseEvent, frozen=True, kw_only=True, tag="STEP_STARTED"):
    """A stage began (EVT-15)."""

    step_name: str


class StepFinished(BaseEvent, frozen=True, kw_only=True, tag="STEP_FINISHED"):
    """A stage ended (EVT-15)."""

    step_name: str


Role = Literal["developer", "system", "assistant", "user"]


# Factories: what they make is written, as defaults are not.
def _assistant() -> Literal["assistant"]:
    return "assistant"


def _reasoning() -> Literal["reasoning"]:
    return "reasoning"


def _message() -> Literal["message"]:
    return "message"


class TextMessageStart(BaseEvent, frozen=True, kw_only=True, tag="TEXT_MESSAGE_START"):
    """A message begins (EVT-09)."""

    message_id: str
    role: Role = field(default_factory=_assistant)
    subagent_run_id: str | None = None
    """The nested agent that speaks (EVT-34)."""


class TextMessageContent(BaseEvent, frozen=True, kw_only=True, tag="TEXT_MESSAGE_CONTENT", gc=False):
    """A piece of a message, never empty (EVT-18)."""

    message_id: str
    delta: Delta


class TextMessageEnd(BaseEvent, frozen=True, kw_only=True, tag="TEXT_MESSAGE_END"):
    """The end of a message; structured output is in further members (DIV-28, C10)."""

    message_id: str
    output: dict[str, Any] = {}  # noqa: RUF012 (msgspec copies it)
    """These members, none of them in FRAMING."""


class ToolCallStart(BaseEvent, frozen=True, kw_only=True, tag="TOOL_CALL_START"):
    """A tool call (EVT-10).

    `parent_message_id` is its message, or the first call of a round without text.
    """

    tool_call_id: str
    tool_call_name: str
    parent_message_id: str | None = None
    metadata: dict[str, Any] | None = None
    """The call's own, of which clients keep a copy."""
    subagent_run_id: str | None = None


class ToolCallArgs(BaseEvent, frozen=True, kw_only=True, tag="TOOL_CALL_ARGS"):
    """A piece of the arguments' JSON text (EVT-10, EVT-11)."""

    tool_call_id: str
    delta: Delta


class ToolCallEnd(BaseEvent, frozen=True, kw_only=True, tag="TOOL_CALL_END"):
    """The arguments are complete (EVT-10), or truncated: then `metadata` is INTERRUPTED."""

    tool_call_id: str
    metadata: dict[str, Any] | None = None


class ToolCallResult(BaseEvent, frozen=True, kw_only=True, tag="TOOL_CALL_RESULT"):
    """A server tool's result, as a separate message (EVT-12).

    If it has media, AG-UI 1.0 clients get `parts` in place of `content` (EVT-33).
    """

    message_id: str
    tool_call_id: str
    content: str
    parts: tuple[dict[str, Any], ...] | None = None
    metadata: dict[str, Any] | None = None
    subagent_run_id: str | None = None


class ReasoningStart(BaseEvent, frozen=True, kw_only=True, tag="REASONING_START"):
    """The reasoning begins."""

    message_id: str
    subagent_run_id: str | None = None


class ReasoningMessageStart(BaseEvent, frozen=True, kw_only=True, tag="REASONING_MESSAGE_START"):
    """A reasoning message begins."""

    message_id: str
    role: Literal["reasoning"] = field(default_factory=_reasoning)
    subagent_run_id: str | None = None


class ReasoningMessageContent(BaseEvent, frozen=True, kw_only=True, tag="REASONING_MESSAGE_CONTENT"):
    """A piece of a reasoning message, never empty."""

    message_id: str
    delta: Delta


class ReasoningMessageEnd(BaseEvent, frozen=True, kw_only=True, tag="REASONING_MESSAGE_END"):
    """A reasoning message is complete."""

    message_id: str


class ReasoningEncryptedValue(BaseEvent, frozen=True, kw_only=True, tag="REASONING_ENCRYPTED_VALUE"):
    """An opaque value of the reasoning message `entity_id`: clients keep it as its `encryptedValue`."""

    subtype: Literal["message"] = field(default_factory=_message)
    entity_id: str
    encrypted_value: str


class ReasoningEnd(BaseEvent, frozen=True, kw_only=True, tag="REASONING_END"):
    """The reasoning is complete."""

    message_id: str


class StateSnapshot(BaseEvent, frozen=True, kw_only=True, tag="STATE_SNAPSHOT"):
    """The state shared by client and agent (EVT-13)."""

    snapshot: Any


class StateDelta(BaseEvent, frozen=True, kw_only=True, tag="STATE_DELTA"):
    """A change of the shared state (EVT-13)."""

    delta: tuple[Operation, ...]


class ActivitySnapshot(BaseEvent, frozen=True, kw_only=True, tag="ACTIVITY_SNAPSHOT"):
    """What an agent shows beside its messages, such as a plan; clients draw it by `activity_type`."""

    message_id: str
    activity_type: str
    content: dict[str, Any]
    subagent_run_id: str | None = None


TOOL_PROGRESS: Final = "YARROW_TOOL_PROGRESS"
"""The `activity_type` of the progress of a tool's call."""


class ActivityDelta(BaseEvent, frozen=True, kw_only=True, tag="ACTIVITY_DELTA"):
    """A change of an activity's content."""

    message_id: str
    activity_type: str
    patch: tuple[Operation, ...]


class MessagesSnapshot(BaseEvent, frozen=True, kw_only=True, tag="MESSAGES_SNAPSHOT"):
    """The conversation (EVT-14)."""

    messages: tuple[dict[str, Any], ...]


class Custom(BaseEvent, frozen=True, kw_only=True, tag="CUSTOM"):
    """`name` begins with its vendor. `value` may be null, not missing."""

    name: str
    value: Any


class DeclaredEvent(Framed, frozen=True, kw_only=True):
    """One of a type that an agent's package declares (`event_types`): `members` are its own."""

    type: str
    members: dict[str, Any]


_Parsed: TypeAlias = (
    RunStarted
    | RunFinished
    | RunError
    | StepStarted
    | StepFinished
    | TextMessageStart
    | TextMessageContent
    | ToolCallStart
    | ToolCallArgs
    | ToolCallEnd
    | ToolCallResult
    | ReasoningStart
    | ReasoningMessageStart
    | ReasoningMessageContent
    | ReasoningMessageEnd
    | ReasoningEncryptedValue
    | ReasoningEnd
    | StateSnapshot
    | StateDelta
    | ActivitySnapshot
    | ActivityDelta
    | MessagesSnapshot
    | Custom
)
if TYPE_CHECKING:
    Event: TypeAlias = _Parsed | TextMessageEnd | DeclaredEvent | SubagentEvent
else:
    Event = _Parsed | TextMessageEnd | DeclaredEvent

EVENTS: Final[tuple[type[BaseEvent], ...]] = (*get_args(_Parsed)[:7], TextMessageEnd, *get_args(_Parsed)[7:])
"""All events, in the order of a run."""

_BY_TYPE: Final = {cast("str", type_.__struct_config__.tag): type_ for type_ in EVENTS}

_FOREIGN: Final = frozenset(
    {
        *("TEXT_MESSAGE_CHUNK", "TOOL_CALL_CHUNK", "REASONING_MESSAGE_CHUNK", "RAW"),
        *("THINKING_START", "THINKING_END", "THINKING_TEXT_MESSAGE_START", "THINKING_TEXT_MESSAGE_CONTENT"),
        "THINKING_TEXT_MESSAGE_END",
    }
)
"""AG-UI's types that no run of this version has."""

_SUBAGENTS: Final = frozenset({"SUBAGENT_STARTED", "SUBAGENT_FINISHED", "SUBAGENT_ERROR"})

AGUI_TYPES: Final = _FOREIGN | _BY_TYPE.keys() | _SUBAGENTS
"""The types that no agent may declare."""

Document: TypeAlias = dict[str, Any]
"""An event's members on the wire."""

_END_MEMBERS: Final = ("type", "threadId", "runId", "timestamp", "messageId")
_DECLARED_MEMBERS: Final = ("type", "threadId", "runId", "timestamp")
_FLATTENED: Final = (TextMessageEnd, DeclaredEvent)
_ENCODER: Final = msgspec.json.Encoder()


@cache
def _decoder() -> msgspec.json.Decoder[_Parsed]:
    return msgspec.json.Decoder(_Parsed)


def is_of_subagent(event: Event) -> bool:
    """Return whether it is the beginning or end of a nested agent (EVT-34)."""
    return event.type in _SUBAGENTS


def document(event: BaseEvent | DeclaredEvent) -> Document:
    """Return the members on the wire, `type` first."""
    members: dict[str, Any] = msgspec.to_builtins(event)
    match event:
        case TextMessageEnd(output=output):
            members.pop("output", None)
            return members | output
        case DeclaredEvent(members=own):
            framing = {name: members[name] for name in _DECLARED_MEMBERS if name in members}
            return framing | own
    return members


def encode(event: BaseEvent | DeclaredEvent) -> str:
    """Write an event as one line, `type` first. Raises ValueError for half of a surrogate pair."""
    if isinstance(event, _FLATTENED):
        return encode_document(document(event))
    return _ENCODER.encode(event).decode()


def encode_document(members: Document) -> str:
    """Write an event that a profile has changed as one line."""
    return _ENCODER.encode(members).decode()


def decode(line: str) -> Event:
    """Read an event. Raises ValueError for a line that `encode` did not write."""
    type_ = event_type(line)
    if type_ in _FOREIGN:
        raise ValueError(f"{type_} is not a run event")
    return _decode(type_, line)


def _decode(type_: str, line: str) -> Event:
    if type_ == "TEXT_MESSAGE_END":
        return _split(msgspec.json.decode(line), _END_MEMBERS, "output", TextMessageEnd)
    if type_ in _BY_TYPE:
        return _decoder().decode(line)
    if type_ in _SUBAGENTS:
        from yarrow.protocol.events import subagents  # few runs have any

        return subagents.decode(line)
    return _split(msgspec.json.decode(line), _DECLARED_MEMBERS, "members", DeclaredEvent)


_Split = TypeVar("_Split", TextMessageEnd, DeclaredEvent)


def _split(members: dict[str, Any], framing: Iterable[str], rest: str, into: type[_Split]) -> _Split:
    """Make an event whose own members are not known beforehand."""
    framed = {name: members.pop(name) for name in framing if name in members}
    return msgspec.convert({**framed, rest: members}, into)


def read(line: str) -> Event | None:
    """Read a stored event, which a later version may have written: its new members are left out, its new types None.

    Raises ValueError for a line that no version wrote.
    """
    type_ = event_type(line)
    if type_ in _FOREIGN:
        return None
    try:
        return _decode(type_, line)
    except msgspec.ValidationError:
        if type_ in _SUBAGENTS:
            from yarrow.protocol.events import subagents

            return subagents.known(msgspec.json.decode(line))
        if type_ not in _BY_TYPE:
            raise
        known = {"type", *_BY_TYPE[type_].__struct_encode_fields__}
        members: dict[str, Any] = msgspec.json.decode(line)
        return cast(
            "Event", msgspec.convert({name: members[name] for name in members if name in known}, _BY_TYPE[type_])
        )
