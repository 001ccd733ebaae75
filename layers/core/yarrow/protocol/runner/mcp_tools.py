"""The interface of tools that packages add to the MCP server, by entry points of `yarrow.mcp_tools`.

They belong to no run: what they return follows from their arguments, the caller's claims and the time.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pydantic import BaseModel


@dataclass(frozen=True, slots=True)
class McpCaller:
    """Who calls a tool and when: `now` is in the caller's time zone, UTC if it is not known."""

    locale: str | None
    now: datetime
    parameter: Callable[[str], Any]
    """Reads a deployment parameter of agents by its name, as JSON; None unless it is set."""


@dataclass(frozen=True, slots=True)
class McpToolResult:
    """What a call returns: content blocks of MCP, and structured content if the tool has an `output_schema`."""

    content: Sequence[Mapping[str, Any]]
    structured: Mapping[str, Any] | None = None
    is_error: bool = False

    @classmethod
    def of_text(cls, text: str, structured: Mapping[str, Any] | None = None) -> "McpToolResult":
        return cls([{"type": "text", "text": text}], structured)


@dataclass(frozen=True, slots=True)
class McpTool:
    """A tool by its name, of at most 64 of `A-Za-z0-9_-`. `description` is for models.

    `call` gets the valid arguments; the message of a ValueError is shown to the model. Without `repeatable`, calling it
    twice is not the same as once. A tool writes nothing.
    """

    name: str
    title: str
    description: str
    arguments: "type[BaseModel]"
    call: Callable[[Any, McpCaller], McpToolResult]
    output_schema: Mapping[str, Any] | None = None
    repeatable: bool = True
