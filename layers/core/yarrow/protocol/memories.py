"""Responses of `GET /api/v1/memories`."""

from yarrow.protocol.response_body import Body


class MemoryItem(Body, frozen=True, kw_only=True):
    """What the assistant was told to remember; `created_at` is in ISO 8601."""

    id: str
    text: str
    created_at: str


class MemoryPage(Body, frozen=True, kw_only=True):
    """Memories, the latest first; `next` is the `after` of the next page, if there is one."""

    memories: tuple[MemoryItem, ...]
    next: str | None
