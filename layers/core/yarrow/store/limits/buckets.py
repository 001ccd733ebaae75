"""Token buckets of a user (GCRA, the generic cell rate algorithm). A bucket is stored as the time when it will be full,
in milliseconds since the epoch by the writer's clock. Draws only move it forward: a slow clock admits less, concurrent
draws add up without retries.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from yarrow.store import clock, table
from yarrow.store.items.updates import ALWAYS, NOTHING, Attr, Condition, Update

BURST_MINUTES: Final = 2
"""Capacity, in minutes of the rate."""

KEPT_DAYS = 1

_TRIES: Final = 5

CAPACITY: Final = BURST_MINUTES * 60_000
"""Milliseconds until an empty bucket is full."""


class EmptyError(Exception):
    """The bucket will have enough tokens in `seconds`."""

    def __init__(self, bucket: "Bucket", milliseconds: int) -> None:
        super().__init__(f"{bucket.name} is empty")
        self.bucket = bucket
        self.seconds = -(-milliseconds // 1000)


@dataclass(frozen=True, slots=True)
class Bucket:
    """A rate of 0 means no limit."""

    name: str
    per_minute: int

    @property
    def attribute(self) -> str:
        return f"{self.name}_full_at"


Amount = tuple[Bucket, int]
Amounts = Sequence[Amount]


@dataclass(frozen=True, slots=True)
class Draw:
    """Part of a write; false without a limit."""

    changes: Update = NOTHING
    condition: Condition = ALWAYS

    def __add__(self, other: "Draw") -> "Draw":
        return Draw(self.changes + other.changes, self.condition & other.condition)

    def __bool__(self) -> bool:
        return self.condition != ALWAYS


def draw(bucket: Bucket, item: table.Item | None, amount: int = 1) -> Draw:
    """Draw from an item as read (None: full); more than the capacity counts as the capacity. The condition fails if it
    changed since. Raises EmptyError.
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
        is_full = Attr(at).not_exists() | Attr(at).lte(now)
        return Draw(Update().set(**{at: now + cost}), is_full)
    return Draw(Update().increase(**{at: cost}), Attr(at).between(now, latest))


def left(bucket: Bucket, item: table.Item | None) -> int | None:
    """Return how much may be drawn from an item as read; None without a limit."""
    if not bucket.per_minute:
        return None
    now = clock.now_ms()
    taken = max(0, int((item or {}).get(bucket.attribute, 0)) - now)
    return max(0, CAPACITY - taken) * bucket.per_minute // 60_000


def draw_all(amounts: Amounts, item: table.Item | None) -> Draw:
    """Draw from several buckets of one item. Raises EmptyError."""
    drawn = Draw()
    for bucket, amount in amounts:
        drawn += draw(bucket, item, amount)
    return drawn


def take(user_id: str, bucket: Bucket, amount: int = 1) -> None:
    """Draw from one bucket. Raises EmptyError."""
    take_all(user_id, (bucket, amount))


def take_all(user_id: str, *amounts: Amount) -> None:
    """Draw from several buckets in one write, all or nothing. Raises EmptyError."""
    item: table.Item | None = None
    for _ in range(_TRIES):
        drawn = draw_all(amounts, item)
        if not drawn:
            return
        drew, item = _write(user_id, drawn)
        if drew:
            return
    raise EmptyError(amounts[0][0], 1_000)


def charge(user_id: str, bucket: Bucket, amount: int) -> None:
    """Draw what was already used, even beyond the capacity: the bucket is empty until that has flowed back."""
    for drawn in charges(bucket, amount):
        if not drawn or _write(user_id, drawn)[0]:
            return


def charges(bucket: Bucket, amount: int) -> Iterator[Draw]:
    """Yield ways to `charge`; the caller writes the first whose condition holds."""
    if not bucket.per_minute:
        yield Draw()
        return
    at, cost = bucket.attribute, -(-amount * 60_000 // bucket.per_minute)
    for _ in range(_TRIES):
        now = clock.now_ms()
        yield Draw(Update().set(**{at: now + cost}), Attr(at).not_exists() | Attr(at).lt(now))
        yield Draw(Update().increase(**{at: cost}), Attr(at).gte(now))


def _write(user_id: str, drawn: Draw) -> tuple[bool, table.Item | None]:
    changes = drawn.changes.set(expires_at=clock.epoch_in(KEPT_DAYS))
    return table.update_or_read({"pk": f"USER#{user_id}", "sk": "RATES"}, changes, drawn.condition)
