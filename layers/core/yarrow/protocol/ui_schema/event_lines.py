"""The hints in stored TEXT_MESSAGE_END events: clients get them compiled on request, and never as stored."""

from collections.abc import Callable
from typing import Any, Final

from msgspec import structs

from yarrow.protocol.events.events import TextMessageEnd, decode, encode
from yarrow.protocol.events.lines import event_type
from yarrow.protocol.ui_schema.hints import MEMBER

SCHEMA: Final = "ui_schema"
"""The member with the compiled hints."""


def without_hints(line: str) -> str:
    """Return a stored event without hints, for clients that request no schema; other events are unchanged."""
    event = _with_hints(line)
    return line if event is None else _replaced(event, {})


def with_schema(line: str, ui_schema: Callable[[object], dict[str, Any] | None]) -> str:
    """Return a stored event for clients that request schemas, with the result of `ui_schema` for its output, if any."""
    event = _with_hints(line)
    if event is None:
        return line
    schema = ui_schema(event.output)
    return _replaced(event, {} if schema is None else {SCHEMA: schema})


def _with_hints(line: str) -> TextMessageEnd | None:
    if event_type(line) != "TEXT_MESSAGE_END":
        return None
    event = decode(line)
    return event if isinstance(event, TextMessageEnd) and MEMBER in event.output else None


def _replaced(event: TextMessageEnd, compiled: dict[str, Any]) -> str:
    output = {name: value for name, value in event.output.items() if name != MEMBER}
    return encode(structs.replace(event, output=output | compiled))
