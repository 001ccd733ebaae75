"""Token buckets of a user, each of them one number of an item in the table (GCRA, the generic cell rate algorithm).

The number says when the bucket will be full again, in milliseconds since the epoch, by the clock of whoever wrote it
last. To draw moves it forward and nothing moves it back, so a clock that is behind can only admit less. Draws of one
moment add up and need not be tried again. Draws ride on a write of their item, or are one by themselves: `take`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from yarrow.store import clock, table

BURST_MINUTES: Final = 2
"""A full bucket holds what flows in meanwhile."""

KEPT_DAYS = 1

_TRIES: Final = 5

CAPACITY: Final = BURST_MINUTES * 60_000
"""Milliseconds until an empty bucket is full."""


class EmptyError(Exception):
    """Too little is left; `seconds` later there is enough."""

    def __init__(self, bucket: "Bucket", milliseconds: int) -> None:
        super().__init__(f"{bucket.name} is empty")
        self.bucket = bucket
        self.seconds = -(-milliseconds // 1000)


@dataclass(frozen=True, slots=True)
class Bucket:
    """What a bucket limits, and how much of it flows in; 0 is no limit."""

    name: str
    per_minute: int

    @property
    def attribute(self) -> str:
        """Where the item has its number."""
        return f"{self.name}_full_at"


@dataclass(frozen=True, slots=True)
class Draw:
    """The parts of an update that draws from a bucket, all empty for one without a limit."""

    assignments: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    values: Mapping[str, int] = field(default_factory=dict)

    def __add__(self, other: "Draw") -> "Draw":
        """Both, from one item."""
        both = {**self.values, **other.values}
        return Draw(self.assignments + other.assignments, self.conditions + other.conditions, both)


def draw(bucket: Bucket, item: table.Item | None, amount: int = 1) -> Draw:
    """Draw from a bucket as an item shows it; None is a full one. The condition fails where it looks otherwise by now.

    More than a full bucket holds counts as all of it. Raises EmptyError.
    """
    if not bucket.per_minute:
        return Draw()
    at, now = bucket.attribute, clock.now_ms()
    cost = min(-(-amount * 60_000 // bucket.per_minute), CAPACITY)
    full_at = int((item or {}).get(at, 0))
    latest = now + CAPACITY - cost
    if full_at > latest:
        raise EmptyError(bucket, full_at - latest)
    if full_at <= now:
        is_full = f"(attribute_not_exists({at}) OR {at} <= :{at}_now)"
        return Draw((f"{at} = :{at}",), (is_full,), {f":{at}": now + cost, f":{at}_now": now})
    has_room = f"({at} BETWEEN :{at}_now AND :{at}_latest)"
    values = {f":{at}_cost": cost, f":{at}_now": now, f":{at}_latest": latest}
    return Draw((f"{at} = {at} + :{at}_cost",), (has_room,), values)


def take(user_id: str, bucket: Bucket, amount: int = 1) -> None:
    """Draw from a bucket of the user's own item, in one write where the bucket was full. Raises EmptyError."""
    key = {"pk": f"USER#{user_id}", "sk": "RATES"}
    item: table.Item | None = None
    for _ in range(_TRIES):
        drawn = draw(bucket, item, amount)
        if not drawn.conditions:
            return
        values = {**drawn.values, ":expiry": clock.epoch_in(KEPT_DAYS)}
        expression = f"SET expires_at = :expiry, {', '.join(drawn.assignments)}"
        if table.update_returning(key, expression, values, " AND ".join(drawn.conditions)):
            return
        item = table.get(key)
    raise EmptyError(bucket, 1_000)
