"""Lists what the assistant remembers of a user."""

import re
from typing import Final

from yarrow.protocol.memories import MemoryItem, MemoryPage
from yarrow.protocol.problems import Code, Problem
from yarrow.store import memories

DEFAULT_PAGE: Final = 50
MAX_PAGE: Final = 100
CURSOR: Final = r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z~[0-9a-f]{32}"
"""The moment of a memory in UTC and its id."""


def list_memories(user_id: str, limit: str | None = None, after: str | None = None) -> MemoryPage:
    """The user's own, the latest first. `after` is the previous page's `next`. Raises Problem 422."""
    wanted = DEFAULT_PAGE if limit is None else int(limit) if re.fullmatch(r"[1-9]\d{0,2}", limit, re.ASCII) else 0
    if not 1 <= wanted <= MAX_PAGE:
        raise Problem(Code.AGENT_MEMORY_QUERY_INVALID, f"limit must be 1 to {MAX_PAGE}")
    found = memories.of_user(user_id)
    if after is not None:
        place = _place(after)
        found = [each for each in found if (each.created_at, each.id) < place]
    shown = found[:wanted]
    last = shown[-1] if len(found) > wanted else None
    return MemoryPage(
        memories=tuple(MemoryItem(id=each.id, text=each.text, created_at=each.created_at) for each in shown),
        next=None if last is None else f"{last.created_at.replace('+00:00', 'Z')}~{last.id}",
    )


def _place(after: str) -> tuple[str, str]:
    """Of a memory that may be deleted meanwhile."""
    moment, _, memory_id = after.partition("~")
    if not re.fullmatch(CURSOR, after):
        raise Problem(Code.AGENT_MEMORY_QUERY_INVALID, "after must be the next of a page")
    return moment.replace("Z", "+00:00"), memory_id
