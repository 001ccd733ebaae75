"""Responses of `GET /api/v1/memories`."""

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel


class _Wire(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, serialize_by_alias=True, frozen=True)


class MemoryItem(_Wire):
    """What the assistant was told to remember; `created_at` is in ISO 8601."""

    id: str
    text: str
    created_at: str


class MemoryPage(_Wire):
    """Memories, the latest first; `next` is the `after` of the next page, if there is one."""

    memories: tuple[MemoryItem, ...]
    next: str | None
