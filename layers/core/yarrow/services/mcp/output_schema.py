"""Checks the structured content of MCP tools against the schema that their server promised for it (MCP-01).

Schema and content are both a stranger's, so the check has a price that is known before: what would take longer than
a second or two is not checked. Nothing that a schema refers to is fetched.
"""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from yarrow.formats import json_schema, json_text

MAX_COST: Final = 5_000_000
"""Of a check: the values in the content, times the bytes of the schema with its references written out."""

_BYTES_OF_A_PART: Final = 16
_DEAR: Final = frozenset({"uniqueItems", "unevaluatedItems", "unevaluatedProperties"})
"""Keywords whose time grows faster than the values."""


def checkable(schema: Any) -> bool:
    """Whether structured content can be checked by the schema here, in a time that is known."""
    try:
        json_schema.check_schema(schema)
    except json_schema.SchemaError:
        return False
    return isinstance(schema, dict) and not _has(schema, _DEAR)


async def mismatch(structured: Any, schema: Mapping[str, Any]) -> str | None:
    """Return why structured content does not match a checkable schema; None if it does, or if telling costs too much.

    The check runs in a thread: the run's heartbeat goes on meanwhile.
    """
    if structured is None:
        return "$: there is no structured content"
    written_out = len(json_text.dumps(schema).encode()) + _BYTES_OF_A_PART * json_schema.check_schema(schema)
    if _values(structured, MAX_COST // written_out) is None:
        return None
    return await asyncio.to_thread(json_schema.mismatch, structured, schema)


def _values(value: Any, most: int) -> int | None:
    """Count the values in JSON; None if there are more than `most`."""
    count = 0
    for level in _levels(value):
        count += len(level)
        if count > most:
            return None
    return count


def _has(schema: Any, keywords: frozenset[str]) -> bool:
    """Whether a schema has one of the keywords anywhere, also where it would only be a name."""
    return any(isinstance(one, dict) and not keywords.isdisjoint(one) for level in _levels(schema) for one in level)


def _levels(value: Any) -> Iterator[Sequence[Any]]:
    """Yield JSON by its depth: the value, then its members, then theirs."""
    level = [value]
    while level:
        yield level
        inner = [one.values() if isinstance(one, dict) else one for one in level if isinstance(one, dict | list)]
        level = [member for members in inner for member in members]
