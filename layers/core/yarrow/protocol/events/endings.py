"""The events that end something: whoever ends a run writes these, and no other.

Source: as `events`.
"""

from typing import Any, Final, Literal

from pydantic import ConfigDict

from yarrow.protocol.events.base import BaseEvent, Optional


class RunFinished(BaseEvent):
    """Success; the last event (EVT-08)."""

    type: Literal["RUN_FINISHED"] = "RUN_FINISHED"
    result: Optional[dict[str, Any]] = None


class RunError(BaseEvent):
    """Failure or cancellation; the last event (EVT-08). `message` is public."""

    type: Literal["RUN_ERROR"] = "RUN_ERROR"
    message: str
    code: Optional[str] = None


class StepFinished(BaseEvent):
    """A stage ended (EVT-15)."""

    type: Literal["STEP_FINISHED"] = "STEP_FINISHED"
    step_name: str


class TextMessageEnd(BaseEvent):
    """The end of a message; structured output is in further members (DIV-28, C10)."""

    model_config = ConfigDict(extra="allow")

    type: Literal["TEXT_MESSAGE_END"] = "TEXT_MESSAGE_END"
    message_id: str


INTERRUPTED: Final = {"yarrow.interrupted": True}
"""Of TOOL_CALL_END, for truncated arguments: do not parse them."""


class ToolCallEnd(BaseEvent):
    """The arguments are complete (EVT-10), or truncated: then `metadata` is INTERRUPTED."""

    type: Literal["TOOL_CALL_END"] = "TOOL_CALL_END"
    tool_call_id: str
    metadata: Optional[dict[str, Any]] = None


class ReasoningMessageEnd(BaseEvent):
    """A reasoning message is complete."""

    type: Literal["REASONING_MESSAGE_END"] = "REASONING_MESSAGE_END"
    message_id: str


class ReasoningEnd(BaseEvent):
    """Reasoning is complete."""

    type: Literal["REASONING_END"] = "REASONING_END"
    message_id: str
