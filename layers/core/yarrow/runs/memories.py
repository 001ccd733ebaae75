"""Lists and deletes what the assistant remembers of a user."""

import re
from typing import Final

from yarrow.formats.query_number import whole_number
from yarrow.protocol.memories import MemoryItem, MemoryPage
from yarrow.protocol.problems import Code, Problem
from yarrow.store import memories

DEFAULT_PAGE: Final = 50
MAX_PAGE: Final = 100
CURSOR: Final = r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z~[0-9a-f]{32}"
"""The time of a memory in UTC, and its id."""


def list_memories(user_id: str, limit: str | None = None, after: str | None = None) -> MemoryPage:
    """List the memories, latest first. `after` is the previous page's `next`. Raises Problem 422."""
    count = DEFAULT_PAGE if limit is None else whole_number(limit, MAX_PAGE)
    if count is None:
        raise Problem(Code.AGENT_MEMORY_QUERY_INVALID, f"limit must be 1 to {MAX_PAGE}")
    found = memories.of_user(user_id)
    if after is not None:
        place = _place(after)
        found = [memory for memory in found if (memory.created_at, memory.id) < place]
    page = found[:count]
    last = page[-1] if len(found) > count else None
    return MemoryPage(
        memories=tuple(MemoryItem(id=memory.id, text=memory.text, created_at=memory.created_at) for memory in page),
        next=None if last is None else f"{last.created_at.replace('+00:00', 'Z')}~{last.id}",
    )


def delete_memory(user_id: str, memory_id: str) -> None:
    """Delete a memory; a no-op if there is none. Raises Problem 422 for an invalid id."""
    if not memories.is_id(memory_id):
        raise Problem(Code.AGENT_MEMORY_ID_INVALID, "memoryId must be an id of a memory")
    memories.forget(user_id, memory_id)


def _place(after: str) -> tuple[str, str]:
    """Return the time and id of a memory that may be deleted meanwhile. Raises Problem 422."""
    moment, _, memory_id = after.partition("~")
    if not re.fullmatch(CURSOR, after):
        raise Problem(Code.AGENT_MEMORY_QUERY_INVALID, "after must be the `next` of a page")
    return moment.replace("Z", "+00:00"), memory_id
