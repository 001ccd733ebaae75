"""The messages, tools and context entries of a run input, as their documents shape them.

Source: `run-input.md` and `agui-http-agent.md` (MSG-01 … MSG-07, TOOL-01, TOOL-02). camelCase and snake_case names are
both read (RUN-02); camelCase is written. Unknown members are kept out without an error: a newer client may send them.
The stricter rules for the user's message are in `run_input`.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints
from pydantic.alias_generators import to_camel

Id = Annotated[str, StringConstraints(min_length=1, max_length=256)]

ToolName = Annotated[str, StringConstraints(min_length=1, max_length=256)]
"""Any name: one that a provider of models refuses is mapped for it (C44)."""


class _Wire(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="ignore", strict=True)


class TextBlock(_Wire):
    """A piece of text in a user's message."""

    type: Literal["text"]
    text: str


class BinaryBlock(_Wire):
    """A picture in a user's message, by URL."""

    type: Literal["binary"]
    mime_type: str
    id: str | None = None
    url: str | None = None
    data: str | None = None
    filename: str | None = None


ContentBlock = Annotated[TextBlock | BinaryBlock, Field(discriminator="type")]


class BaseMessage(_Wire):
    """What messages of every role have."""

    id: Id
    name: str | None = None
    encrypted_value: str | None = None


class UserMessage(BaseMessage):
    """What the user said, as text or as blocks of text and pictures."""

    role: Literal["user"]
    content: str | list[ContentBlock]

    def text(self) -> str:
        """The words alone; blocks are joined by line breaks (HIS-20)."""
        if isinstance(self.content, str):
            return self.content
        return "\n".join(block.text for block in self.content if isinstance(block, TextBlock))

    def pictures(self) -> list[BinaryBlock]:
        """The binary blocks, in their order."""
        if isinstance(self.content, str):
            return []
        return [block for block in self.content if isinstance(block, BinaryBlock)]


class FunctionCall(_Wire):
    """The name and the JSON text of the arguments of a tool call."""

    name: str
    arguments: str


class ToolCall(_Wire):
    """A call of a tool, made by the assistant."""

    id: Id
    type: Literal["function"]
    function: FunctionCall
    encrypted_value: str | None = None


class AssistantMessage(BaseMessage):
    """What the assistant said and which tools it called."""

    role: Literal["assistant"]
    content: str | None = None
    tool_calls: list[ToolCall] | None = None


class SystemMessage(BaseMessage):
    """An instruction of the system."""

    role: Literal["system"]
    content: str


class DeveloperMessage(BaseMessage):
    """An instruction of the developer."""

    role: Literal["developer"]
    content: str


class ToolMessage(BaseMessage):
    """The result of a tool call."""

    role: Literal["tool"]
    content: str
    tool_call_id: Id
    error: str | None = None


class ReasoningMessage(BaseMessage):
    """A model's reasoning; its shape is left open (MSG-06)."""

    role: Literal["reasoning"]
    content: Any = None


class ActivityMessage(BaseMessage):
    """A progress update; its shape is left open (MSG-06)."""

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
    """A tool of the front end (TOOL-01, TOOL-03): passed through, never run by the service."""

    name: ToolName
    description: str
    parameters: dict[str, Any]


class ContextEntry(_Wire):
    """One piece of context for the agent (TOOL-02)."""

    description: str
    value: str
