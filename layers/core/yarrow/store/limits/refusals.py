"""Counts of what limits refused, by hour, for operators (EVB-12).

A refusal is one write of one unit. The items of an hour are few, since codes and limits are: the refusals of each are
spread over `_SHARDS` of them, as one item takes a thousand writes a second.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from yarrow.store import clock, table
from yarrow.store.items.records import Codec, in_key, stored_as
from yarrow.store.items.updates import ALWAYS, Update

KEPT_DAYS: Final = 40

MAX_ITEMS: Final = 20_000
"""Of a day: more than all hours, codes, limits and shards make."""

_PREFIX: Final = "LIMITS#"
_SHARDS: Final = 4


@dataclass(frozen=True, slots=True)
class HourOfRefusals:
    """Refusals of a limit in a part of an hour."""

    day: str = field(metadata=in_key("pk", _PREFIX))
    code: str = field(metadata=stored_as("refused_with"))
    refusals: int
    limit: str | None = field(default=None, metadata=stored_as("limit_name"))
    """What is limited a minute, such as `uploads`; None for limits that have a code of their own."""


_REFUSALS: Final = Codec(HourOfRefusals)


def count(code: str, limit: str | None) -> None:
    """Count a refusal now."""
    now = clock.now_iso()
    shard = clock.now_ms() % _SHARDS
    key = {"pk": f"{_PREFIX}{now[:10]}", "sk": f"{_PREFIX}{now[11:13]}#{code}#{limit or '-'}#{shard}"}
    named = Update().set(refused_with=code, limit_name=limit, expires_at=clock.epoch_in(KEPT_DAYS))
    table.update_returning(key, named.add(refusals=1), ALWAYS)


def read(day: str) -> Iterator[HourOfRefusals]:
    """Read the parts of a day (UTC), MAX_ITEMS at most; a moment may be missing."""
    items = table.query(f"{_PREFIX}{day}", start=_PREFIX, before=f"{_PREFIX}~", consistent=False)
    return map(_REFUSALS.record, islice(items, MAX_ITEMS))
