"""Messages, tools and context of a run input.

Source: `run-input.md`, `agui-http-agent.md` (MSG-01 … MSG-07, TOOL-01, TOOL-02). Reads both spellings (RUN-02), writes
camelCase, ignores unknown members.
"""

from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints
from pydantic.alias_generators import to_camel

from yarrow.formats import json_text

Id = Annotated[str, StringConstraints(min_length=1, max_length=256)]

ToolName = Annotated[str, StringConstraints(min_length=1, max_length=256)]
"""Any name: those a model provider refuses are mapped (C44)."""


class _Wire(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="ignore", strict=True)


class TextBlock(_Wire):
    """A text."""

    type: Literal["text"]
    text: str


class BinaryBlock(_Wire):
    """A picture by URL."""

    type: Literal["binary"]
    mime_type: str
    id: str | None = None
    url: str | None = None
    data: str | None = None
    filename: str | None = None


ContentBlock = Annotated[TextBlock | BinaryBlock, Field(discriminator="type")]


Metadata = Annotated[dict[str, Any] | None, BeforeValidator(lambda value: value if isinstance(value, dict) else None)]
"""A client's own members of a message, which no agent reads. Anything but an object is dropped."""

MAX_EXTRAS_BYTES: Final = 8_192
"""Of a message's members beside its content that are stored, in bytes of JSON."""


class BaseMessage(_Wire):
    id: Id
    name: str | None = None
    encrypted_value: str | None = None
    metadata: Metadata = None

    def extras(self) -> dict[str, Any]:
        """`name`, `encryptedValue` and `metadata`, as many as fit into MAX_EXTRAS_BYTES in this order (MSG-07)."""
        kept: dict[str, Any] = {}
        members = {"name": self.name, "encryptedValue": self.encrypted_value, "metadata": self.metadata}
        for member, value in members.items():
            longer = {**kept, member: value}
            if value is not None and len(json_text.dumps(longer).encode()) <= MAX_EXTRAS_BYTES:
                kept = longer
        return kept


class UserMessage(BaseMessage):
    """Text, or blocks of text and pictures."""

    role: Literal["user"]
    content: str | list[ContentBlock]

    def text(self) -> str:
        """Blocks are joined by line breaks (HIS-20)."""
        if isinstance(self.content, str):
            return self.content
        return "\n".join(block.text for block in self.content if isinstance(block, TextBlock))

    def pictures(self) -> list[BinaryBlock]:
        if isinstance(self.content, str):
            return []
        return [block for block in self.content if isinstance(block, BinaryBlock)]


class FunctionCall(_Wire):
    """A function; `arguments` is JSON text."""

    name: str
    arguments: str


class ToolCall(_Wire):
    """A tool call."""

    id: Id
    type: Literal["function"]
    function: FunctionCall
    encrypted_value: str | None = None


class AssistantMessage(BaseMessage):
    """Text and tool calls."""

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
    """A tool result."""

    role: Literal["tool"]
    content: str
    tool_call_id: Id
    error: str | None = None


class ReasoningMessage(BaseMessage):
    """Reasoning of any shape (MSG-06)."""

    role: Literal["reasoning"]
    content: Any = None


class ActivityMessage(BaseMessage):
    """A progress update of any shape (MSG-06)."""

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
    """A front-end tool, never run by the service (TOOL-01, TOOL-03)."""

    name: ToolName
    description: str
    parameters: dict[str, Any]


class ContextEntry(_Wire):
    """Context for the agent (TOOL-02)."""

    description: str
    value: str
