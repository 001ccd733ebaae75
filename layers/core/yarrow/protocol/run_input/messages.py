"""Messages, tools and context of a run input.

Source: `run-input.md`, `agui-http-agent.md` (MSG-01 … MSG-07, TOOL-01, TOOL-02). Reads both spellings (RUN-02), writes
camelCase and ignores unknown members.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta, Struct

from yarrow.formats import json_text
from yarrow.protocol.problems import ProblemCode

Id = Annotated[str, Meta(min_length=1, max_length=256)]

ToolName = Annotated[str, Meta(min_length=1, max_length=256)]
"""Any name: one that a model provider refuses is mapped (C44)."""

MAX_EXTRAS_BYTES: Final = 8_192
"""The most bytes of JSON stored of a message's members beside its content."""


class _Wire(Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    pass


class TextBlock(_Wire, frozen=True, kw_only=True, tag_field="type", tag="text"):
    """A text."""

    text: str


class BinaryBlock(_Wire, frozen=True, kw_only=True, tag_field="type", tag="binary"):
    """A picture by URL."""

    mime_type: str
    id: str | None = None
    url: str | None = None
    data: str | None = None
    filename: str | None = None


ContentBlock = TextBlock | BinaryBlock


class BaseMessage(_Wire, frozen=True, kw_only=True, tag_field="role"):
    """`metadata` are a client's own members of a message, which no agent reads."""

    id: Id
    name: str | None = None
    encrypted_value: str | None = None
    metadata: dict[str, Any] | None = None

    @property
    def role(self) -> str:
        """One of the seven roles."""
        return str(self.__struct_config__.tag)

    def extras(self) -> dict[str, Any]:
        """Return `name`, `encryptedValue` and `metadata`, in this order, up to MAX_EXTRAS_BYTES (MSG-07)."""
        kept: dict[str, Any] = {}
        members = {"name": self.name, "encryptedValue": self.encrypted_value, "metadata": self.metadata}
        for member, value in members.items():
            longer = {**kept, member: value}
            if value is not None and len(json_text.dumps(longer).encode()) <= MAX_EXTRAS_BYTES:
                kept = longer
        return kept

    def wire(self) -> dict[str, Any]:
        """Return the message as JSON, without members that are None. Common members come before the role, as stored."""
        role, *common = ("role", "id", "name", "encryptedValue", "metadata")
        members = msgspec.to_builtins(self)
        first = {name: members.pop(name) for name in common if name in members}
        return {**first, role: members.pop(role), **members}


class UserMessage(BaseMessage, frozen=True, kw_only=True, tag="user"):
    """Text, or blocks of text and pictures."""

    content: str | list[ContentBlock]

    def text(self) -> str:
        """Return the text; blocks are joined by line breaks (HIS-20)."""
        if isinstance(self.content, str):
            return self.content
        return "\n".join(block.text for block in self.content if isinstance(block, TextBlock))

    def pictures(self) -> list[BinaryBlock]:
        if isinstance(self.content, str):
            return []
        return [block for block in self.content if isinstance(block, BinaryBlock)]


class FunctionCall(_Wire, frozen=True, kw_only=True):
    """A function; `arguments` is JSON text."""

    name: str
    arguments: str


class ToolCall(_Wire, frozen=True, kw_only=True):
    """A tool call."""

    id: Id
    type: Literal["function"]
    function: FunctionCall
    encrypted_value: str | None = None
    metadata: dict[str, Any] | None = None


class AssistantMessage(BaseMessage, frozen=True, kw_only=True, tag="assistant"):
    """Text and tool calls."""

    content: str | None = None
    tool_calls: list[ToolCall] | None = None


class SystemMessage(BaseMessage, frozen=True, kw_only=True, tag="system"):
    """A system instruction."""

    content: str


class DeveloperMessage(BaseMessage, frozen=True, kw_only=True, tag="developer"):
    """A developer instruction."""

    content: str


class ToolMessage(BaseMessage, frozen=True, kw_only=True, tag="tool"):
    """A tool result."""

    content: str
    tool_call_id: Id
    error: str | None = None


class ReasoningMessage(BaseMessage, frozen=True, kw_only=True, tag="reasoning"):
    """The agent's reasoning, of any shape (MSG-06)."""

    content: Any = None


class ActivityMessage(BaseMessage, frozen=True, kw_only=True, tag="activity"):
    """A progress update of any shape (MSG-06)."""

    content: Any = None


Message = (
    UserMessage | AssistantMessage | SystemMessage | DeveloperMessage | ToolMessage | ReasoningMessage | ActivityMessage
)


class Tool(_Wire, frozen=True, kw_only=True):
    """A front-end tool, never run by the service (TOOL-01, TOOL-03)."""

    name: ToolName
    description: str
    parameters: dict[str, Any]


class ContextEntry(_Wire, frozen=True, kw_only=True):
    """Context for the agent (TOOL-02)."""

    description: str
    value: str


class _NoMessage(_Wire, frozen=True, kw_only=True, tag_field="role", tag="none of the seven"):
    """Makes the role of a ToolMessage required, beside it in a union."""

    id: Annotated[str, Meta(max_length=0, min_length=1)]


Kind = Literal["messages", "results", "tools", "context"]

_KINDS: Final[Mapping[Kind, Any]] = {
    "messages": list[Message],
    "results": list[ToolMessage | _NoMessage],
    "tools": list[Tool],
    "context": list[ContextEntry],
}

_SECOND_SPELLINGS: Final = frozenset({"encrypted_value", "tool_calls", "tool_call_id", "mime_type"})


def read_list(kind: Kind, value: Any, path: str, code: ProblemCode) -> list[Any]:
    """Read the items of a member, none if it is None. Raises Problem 422 that names the first invalid item."""
    if value is None:
        return []
    if isinstance(value, list) and not any(map(_has_second_spelling, value)):
        try:
            found: list[Any] = msgspec.convert(value, _KINDS[kind])
        except msgspec.ValidationError:
            pass
        else:
            return found
    from yarrow.protocol.run_input import message_models  # here: it finds what is invalid, and few inputs are

    items: list[Any] = msgspec.convert(message_models.respelt(kind, value, path, code), _KINDS[kind])
    return items


def _has_second_spelling(item: Any) -> bool:
    """Return whether an item, or a part of it, has a member under its snake_case name (RUN-02)."""
    if not isinstance(item, dict):
        return False
    parts = [item.get(name) for name in ("content", "toolCalls")]
    return not _SECOND_SPELLINGS.isdisjoint(item) or any(
        not _SECOND_SPELLINGS.isdisjoint(block)
        for part in parts
        if isinstance(part, list)
        for block in part
        if isinstance(block, dict)
    )
