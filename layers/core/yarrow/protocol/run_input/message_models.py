"""The models of `yarrow.protocol.run_input.messages`: what is wrong with an input, both spellings, and the schema.

Building their validators takes a third of the start of a function that accepts runs, so lists that the structs accept
as they are never come here; both accept the same in the same way.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, TypeAdapter, ValidationError
from pydantic.alias_generators import to_camel

from yarrow.protocol import validation_errors
from yarrow.protocol.problems import Problem, ProblemCode

Id = Annotated[str, StringConstraints(min_length=1, max_length=256)]

ToolName = Annotated[str, StringConstraints(min_length=1, max_length=256)]
"""Any name: one that a model provider refuses is mapped (C44)."""


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


class BaseMessage(_Wire):
    id: Id
    name: str | None = None
    encrypted_value: str | None = None
    metadata: Metadata = None


class UserMessage(BaseMessage):
    """Text, or blocks of text and pictures."""

    role: Literal["user"]
    content: str | list[ContentBlock]


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
    metadata: Metadata = None


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
    """The agent's reasoning, of any shape (MSG-06)."""

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


ADAPTERS: Final[Mapping[str, TypeAdapter[list[Any]]]] = MappingProxyType(
    {
        "messages": TypeAdapter(list[Message]),
        "results": TypeAdapter(list[ToolMessage]),
        "tools": TypeAdapter(list[Tool]),
        "context": TypeAdapter(list[ContextEntry]),
    }
)

_UNION_TAGS: Final = frozenset(
    {"user", "assistant", "system", "developer", "tool", "reasoning", "activity", "text", "binary"}
)


def respelt(kind: str, value: Any, path: str, code: ProblemCode) -> list[dict[str, Any]]:
    """Return a list with the document's spelling of its members, without unknown ones. Raises Problem 422 that names
    the first invalid item.
    """
    try:
        items = ADAPTERS[kind].validate_python(value)
    except ValidationError as error:
        # A union reports each branch, of which the deepest error is the relevant one.
        faults = validation_errors.faults(error)
        of_first = [fault for fault in faults if fault["loc"][:1] == faults[0]["loc"][:1]]
        deepest = max(of_first, key=lambda fault: len(fault["loc"]))
        where = path + _location(deepest["loc"])
        raise Problem(code, f"invalid {where}", params={"reason": validation_errors.reason(deepest)}) from error
    return [item.model_dump(by_alias=True, exclude_none=True) for item in items]


def _location(loc: tuple[int | str, ...]) -> str:
    """Write `(0, "user", "id")` as `[0].id`, without union tags."""
    parts: list[str] = []
    for index, part in enumerate(loc):
        if isinstance(part, int):
            parts.append(f"[{part}]")
        elif part in _UNION_TAGS and isinstance(loc[index - 1], int):
            continue
        elif part != "str" and "[" not in part:
            parts.append(f".{part}")
    return "".join(parts)
