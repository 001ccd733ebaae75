"""The hints in stored TEXT_MESSAGE_END events: clients get them compiled where they ask, and never as stored."""

from typing import Final

from yarrow.formats import json_text
from yarrow.protocol.ui_schema.hints import MEMBER

SCHEMA: Final = "ui_schema"
"""The member with the compiled hints."""

_END: Final = '{"type":"TEXT_MESSAGE_END"'
_MARK: Final = f'"{MEMBER}":'


def without_hints(line: str) -> str:
    """A stored event for clients that ask for no schema; others are unchanged."""
    if not _may_have_hints(line):
        return line
    event = json_text.loads(line.encode())
    event.pop(MEMBER, None)
    return json_text.dumps(event)


def with_schema(line: str) -> str:
    """A stored event for clients that ask for schemas: with `ui_schema`, if its hints have one."""
    if not _may_have_hints(line):
        return line
    from yarrow.protocol.ui_schema.compiler import ui_schema  # here: it has many models

    event = json_text.loads(line.encode())
    if (schema := ui_schema(event)) is not None:
        event[SCHEMA] = schema
    event.pop(MEMBER, None)
    return json_text.dumps(event)


def _may_have_hints(line: str) -> bool:
    return line.startswith(_END) and _MARK in line
