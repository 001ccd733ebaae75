"""The AG-UI events of a run.

Source: `agui-http-agent.md` and `divination-run.md` (EVT-07 … EVT-18, EVT-25, EVT-29, DIV-11, DIV-28).
"""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter, field_serializer

from liuyao.divination import Divination
from yarrow.formats import json_text
from yarrow.formats.json_patch import PatchOperation
from yarrow.protocol.events.base import BaseEvent as BaseEvent
from yarrow.protocol.events.base import Optional
from yarrow.protocol.events.base import RunStarted as RunStarted
from yarrow.protocol.events.base import encode as encode
from yarrow.protocol.events.framing import DERIVED
from yarrow.protocol.events.framing import FRAMING as FRAMING
from yarrow.protocol.events.framing import RunIds as RunIds
from yarrow.protocol.events.order import INTERRUPTED as INTERRUPTED
from yarrow.protocol.run_input.messages import Message

Delta = Annotated[str, StringConstraints(min_length=1)]


class RunFinished(BaseEvent):
    """Success; the last event (EVT-08)."""

    type: Literal["RUN_FINISHED"] = "RUN_FINISHED"
    result: Optional[dict[str, Any]] = None


class RunError(BaseEvent):
    """Failure or cancellation; the last event (EVT-08). `message` is public."""

    type: Literal["RUN_ERROR"] = "RUN_ERROR"
    message: str
    code: Optional[str] = None


class StepStarted(BaseEvent):
    """A stage began (EVT-15)."""

    type: Literal["STEP_STARTED"] = "STEP_STARTED"
    step_name: str


class StepFinished(BaseEvent):
    """A stage ended (EVT-15)."""

    type: Literal["STEP_FINISHED"] = "STEP_FINISHED"
    step_name: str


class TextMessageStart(BaseEvent):
    """A message begins (EVT-09)."""

    type: Literal["TEXT_MESSAGE_START"] = "TEXT_MESSAGE_START"
    message_id: str
    role: Literal["developer", "system", "assistant", "user"] = "assistant"


class TextMessageContent(BaseEvent):
    """A piece of a message, never empty (EVT-18)."""

    type: Literal["TEXT_MESSAGE_CONTENT"] = "TEXT_MESSAGE_CONTENT"
    message_id: str
    delta: Delta


class TextMessageEnd(BaseEvent):
    """The end of a message; structured output is in further members (DIV-28, C10)."""

    model_config = ConfigDict(extra="allow")

    type: Literal["TEXT_MESSAGE_END"] = "TEXT_MESSAGE_END"
    message_id: str


class ToolCallStart(BaseEvent):
    """A tool call (EVT-10).

    `parent_message_id` is its message, or the first call of a step without text.
    """

    type: Literal["TOOL_CALL_START"] = "TOOL_CALL_START"
    tool_call_id: str
    tool_call_name: str
    parent_message_id: Optional[str] = None


class ToolCallArgs(BaseEvent):
    """A piece of the arguments' JSON text (EVT-10, EVT-11)."""

    type: Literal["TOOL_CALL_ARGS"] = "TOOL_CALL_ARGS"
    tool_call_id: str
    delta: Delta


class ToolCallEnd(BaseEvent):
    """The arguments are complete (EVT-10), or truncated: then `metadata` is INTERRUPTED."""

    type: Literal["TOOL_CALL_END"] = "TOOL_CALL_END"
    tool_call_id: str
    metadata: Optional[dict[str, Any]] = None


class ToolCallResult(BaseEvent):
    """A server tool's result, as a separate message (EVT-12)."""

    type: Literal["TOOL_CALL_RESULT"] = "TOOL_CALL_RESULT"
    message_id: str
    tool_call_id: str
    content: str


class ReasoningStart(BaseEvent):
    """Reasoning begins."""

    type: Literal["REASONING_START"] = "REASONING_START"
    message_id: str


class ReasoningMessageStart(BaseEvent):
    """A reasoning message begins."""

    type: Literal["REASONING_MESSAGE_START"] = "REASONING_MESSAGE_START"
    message_id: str
    role: Literal["reasoning"] = "reasoning"


class ReasoningMessageContent(BaseEvent):
    """A piece of a reasoning message, never empty."""

    type: Literal["REASONING_MESSAGE_CONTENT"] = "REASONING_MESSAGE_CONTENT"
    message_id: str
    delta: Delta


class ReasoningMessageEnd(BaseEvent):
    """A reasoning message is complete."""

    type: Literal["REASONING_MESSAGE_END"] = "REASONING_MESSAGE_END"
    message_id: str


class ReasoningEncryptedValue(BaseEvent):
    """An opaque value of the reasoning message `entity_id`: clients keep it as its `encryptedValue`."""

    type: Literal["REASONING_ENCRYPTED_VALUE"] = "REASONING_ENCRYPTED_VALUE"
    subtype: Literal["message"] = "message"
    entity_id: str
    encrypted_value: str


class ReasoningEnd(BaseEvent):
    """Reasoning is complete."""

    type: Literal["REASONING_END"] = "REASONING_END"
    message_id: str


class StateSnapshot(BaseEvent):
    """The state shared by client and agent (EVT-13)."""

    type: Literal["STATE_SNAPSHOT"] = "STATE_SNAPSHOT"
    snapshot: Any


class StateDelta(BaseEvent):
    """A change of the shared state (EVT-13)."""

    type: Literal["STATE_DELTA"] = "STATE_DELTA"
    delta: tuple[PatchOperation, ...]


class MessagesSnapshot(BaseEvent):
    """The conversation (EVT-14)."""

    type: Literal["MESSAGES_SNAPSHOT"] = "MESSAGES_SNAPSHOT"
    messages: tuple[Message, ...]

    @field_serializer("messages")
    def _without_nulls(self, messages: tuple[Message, ...]) -> list[dict[str, Any]]:
        return [message.model_dump(mode="json", by_alias=True, exclude_none=True) for message in messages]


class Custom(BaseEvent):
    """`name` begins with its vendor. `value` may be null, not missing."""

    type: Literal["CUSTOM"] = "CUSTOM"
    name: str
    value: Any


class DivinationDerived(BaseEvent):
    """The hexagrams of the cast (DIV-11, DIV-12)."""

    type: Literal["DIVINATION_DERIVED"] = "DIVINATION_DERIVED"
    divination: Divination


Event = Annotated[
    RunStarted
    | RunFinished
    | RunError
    | StepStarted
    | StepFinished
    | TextMessageStart
    | TextMessageContent
    | TextMessageEnd
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
    | MessagesSnapshot
    | Custom
    | DivinationDerived,
    Field(discriminator="type"),
]

_STORED_TYPES: Final[Mapping[str, type[DivinationDerived]]] = {DERIVED: DivinationDerived}
"""Those with a type in `divination-run.md`."""


def agent_event(ids: RunIds, name: str, data: BaseModel) -> Event:
    """CUSTOM, or the type that is stored for the name. Raises ValueError if not JSON."""
    if (stored := _STORED_TYPES.get(name)) is not None:
        return stored(**ids, **dict(data))
    return Custom(**ids, name=name, value=json_text.loads(data.model_dump_json(by_alias=True).encode()))


_EVENT: TypeAdapter[Event] = TypeAdapter(Event)


def decode(line: str) -> Event:
    """Raises ValueError for a line that `encode` did not write."""
    return _EVENT.validate_json(line)
