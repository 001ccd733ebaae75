"""The messages, tools and context entries of a run input.

Source: `run-input.md` and `agui-http-agent.md` (MSG-01 … MSG-07, TOOL-01, TOOL-02). Reads both spellings (RUN-02),
writes camelCase, ignores unknown members.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints
from pydantic.alias_generators import to_camel

Id = Annotated[str, StringConstraints(min_length=1, max_length=256)]

ToolName = Annotated[str, StringConstraints(min_length=1, max_length=256)]
"""Any name: names that a model provider refuses are mapped (C44)."""


class _Wire(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="ignore", strict=True)


class TextBlock(_Wire):
    """Text in a user message."""

    type: Literal["text"]
    text: str


class BinaryBlock(_Wire):
    """A picture in a user message, by URL."""

    type: Literal["binary"]
    mime_type: str
    id: str | None = None
    url: str | None = None
    data: str | None = None
    filename: str | None = None


ContentBlock = Annotated[TextBlock | BinaryBlock, Field(discriminator="type")]


class BaseMessage(_Wire):
    """The members of every message."""

    id: Id
    name: str | None = None
    encrypted_value: str | None = None


class UserMessage(BaseMessage):
    """A user message: text, or blocks of text and pictures."""

    role: Literal["user"]
    content: str | list[ContentBlock]

    def text(self) -> str:
        """The text; blocks are joined by line breaks (HIS-20)."""
        if isinstance(self.content, str):
            return self.content
        return "\n".join(block.text for block in self.content if isinstance(block, TextBlock))

    def pictures(self) -> list[BinaryBlock]:
        """The binary blocks."""
        if isinstance(self.content, str):
            return []
        return [block for block in self.content if isinstance(block, BinaryBlock)]


class FunctionCall(_Wire):
    """The name and JSON arguments of a tool call."""

    name: str
    arguments: str


class ToolCall(_Wire):
    """A tool call of the assistant."""

    id: Id
    type: Literal["function"]
    function: FunctionCall
    encrypted_value: str | None = None


class AssistantMessage(BaseMessage):
    """The assistant's text and tool calls."""

    role: Literal["assistant"]
    content: str | None = None
    tool_calls: list[ToolCall] | None = None


class SystemMessage(BaseMessage):
    """A system instruction."""

    role: Literal["system"]
    content: str


class DeveloperMessage(BaseMessage):
    """A developer instruction."""

    role: Literal["developer"]
    content: str


class ToolMessage(BaseMessage):
    """The result of a tool call."""

    role: Literal["tool"]
    content: str
    tool_call_id: Id
    error: str | None = None


class ReasoningMessage(BaseMessage):
    """A model's reasoning, of any shape (MSG-06)."""

    role: Literal["reasoning"]
    content: Any = None


class ActivityMessage(BaseMessage):
    """A progress update, of any shape (MSG-06)."""

    role: Literal["activity"]
    content: Any = None


Message = Annotated[
    UserMessage
    | AssistantMessage
    | SystemMessage
    | DeveloperMessage
    | ToolMessage
    | ReasoningMessage
    | ActivityMessage,
    Field(discriminator="role"),
]


class Tool(_Wire):
    """A front-end tool (TOOL-01, TOOL-03): passed through, never run by the service."""

    name: ToolName
    description: str
    parameters: dict[str, Any]


class ContextEntry(_Wire):
    """One piece of context for the agent (TOOL-02)."""

    description: str
    value: str
