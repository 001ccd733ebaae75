"""Token buckets of a user (GCRA, the generic cell rate algorithm).

Stored is when a bucket will be full, in milliseconds since the epoch by the writer's clock. Draws only move it forward:
a slow clock admits less, concurrent draws add up without retries.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from yarrow.store import clock, table

BURST_MINUTES: Final = 2
"""The capacity, in minutes of the rate."""

KEPT_DAYS = 1

_TRIES: Final = 5

CAPACITY: Final = BURST_MINUTES * 60_000
"""Milliseconds until an empty bucket is full."""


class EmptyError(Exception):
    """Enough tokens in `seconds`."""

    def __init__(self, bucket: "Bucket", milliseconds: int) -> None:
        super().__init__(f"{bucket.name} is empty")
        self.bucket = bucket
        self.seconds = -(-milliseconds // 1000)


@dataclass(frozen=True, slots=True)
class Bucket:
    """A rate of 0 is no limit."""

    name: str
    per_minute: int

    @property
    def attribute(self) -> str:
        return f"{self.name}_full_at"


Amount = tuple[Bucket, int]
Amounts = Sequence[Amount]


@dataclass(frozen=True, slots=True)
class Draw:
    """Parts of an update; empty without a limit."""

    assignments: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    values: Mapping[str, int] = field(default_factory=dict)

    def __add__(self, other: "Draw") -> "Draw":
        """Both must be of one item."""
        both = {**self.values, **other.values}
        return Draw(self.assignments + other.assignments, self.conditions + other.conditions, both)


def draw(bucket: Bucket, item: table.Item | None, amount: int = 1) -> Draw:
    """Draw from an item as read (None: full). The condition fails if it changed since.

    More than the capacity counts as the capacity. Raises EmptyError.
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


def draw_all(amounts: Amounts, item: table.Item | None) -> Draw:
    """Draw from several buckets of an item as read. Raises EmptyError."""
    drawn = Draw()
    for bucket, amount in amounts:
        drawn += draw(bucket, item, amount)
    return drawn


def take(user_id: str, bucket: Bucket, amount: int = 1) -> None:
    """Raises EmptyError."""
    take_all(user_id, (bucket, amount))


def take_all(user_id: str, *amounts: Amount) -> None:
    """Draw from several buckets, all or nothing, in one write. Raises EmptyError."""
    item: table.Item | None = None
    for _ in range(_TRIES):
        drawn = draw_all(amounts, item)
        if not drawn.conditions:
            return
        drew, item = _write(user_id, drawn)
        if drew:
            return
    raise EmptyError(amounts[0][0], 1_000)


def charge(user_id: str, bucket: Bucket, amount: int) -> None:
    """Draw what was used already, even beyond the capacity: the bucket is empty until that has flowed back."""
    for drawn in charges(bucket, amount):
        if not drawn.conditions or _write(user_id, drawn)[0]:
            return


def charges(bucket: Bucket, amount: int) -> Iterator[Draw]:
    """Ways to draw as `charge` does, of which the first whose condition holds is to be written."""
    if not bucket.per_minute:
        yield Draw()
        return
    at, cost = bucket.attribute, -(-amount * 60_000 // bucket.per_minute)
    for _ in range(_TRIES):
        now = clock.now_ms()
        is_full = f"(attribute_not_exists({at}) OR {at} < :now)"
        yield Draw((f"{at} = :full_at",), (is_full,), {":full_at": now + cost, ":now": now})
        yield Draw((f"{at} = {at} + :cost",), (f"{at} >= :now",), {":cost": cost, ":now": now})


def _write(user_id: str, drawn: Draw) -> tuple[bool, table.Item | None]:
    values = {**drawn.values, ":expiry": clock.epoch_in(KEPT_DAYS)}
    expression = f"SET expires_at = :expiry, {', '.join(drawn.assignments)}"
    key = {"pk": f"USER#{user_id}", "sk": "RATES"}
    return table.update_or_read(key, expression, values, " AND ".join(drawn.conditions))
