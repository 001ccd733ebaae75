"""Token buckets: what they admit over any time, what they say of waiting, and the clocks of several functions."""

from collections.abc import Iterator

import pytest
from botocore.exceptions import ClientError
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.memory_aws.table import MemoryTable
from yarrow.store import clock
from yarrow.store.items.updates import parameters
from yarrow.store.limits import buckets
from yarrow.store.limits.buckets import CAPACITY, Bucket, EmptyError
from yarrow.store.table import Item, from_wire

START = 1_790_000_000_000
MINUTE = 60_000


class Stored:
    """An item as DynamoDB keeps it: a draw is written when its condition holds."""

    def __init__(self) -> None:
        self._table = MemoryTable()
        self._key = {"pk": {"S": "USER#alice"}, "sk": {"S": "RUNS"}}

    @property
    def item(self) -> Item:
        return from_wire(self._table.items[0]) if self._table.items else {}

    def write(self, drawn: buckets.Draw) -> bool:
        try:
            self._table.UpdateItem(Key=self._key, **parameters(drawn.changes, drawn.condition))
        except ClientError:
            return False
        return True


class Clock:
    """What `clock.now_ms` says."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> int:
        return self.now


@pytest.fixture(scope="module")
def time_() -> Iterator[Clock]:
    with pytest.MonkeyPatch.context() as patch:
        output = Clock()
        patch.setattr(clock, "now_ms", output)
        yield output


def admitted(stored: Stored, bucket: Bucket, amount: int = 1) -> bool:
    try:
        return stored.write(buckets.draw(bucket, stored.item, amount))
    except EmptyError:
        return False


RATES = st.integers(1, 6_000)
ARRIVALS = st.lists(
    st.tuples(st.integers(0, 3 * MINUTE), st.integers(1, 4), st.integers(-400, 400)), min_size=1, max_size=150
)
"""Each some milliseconds after the one before, for so many tokens, at a function whose clock is so far off."""


@settings(deadline=None)
@given(RATES, ARRIVALS)
def test_over_any_time_no_more_is_admitted_than_burst_and_rate(
    time_: Clock, rate: int, arrivals: list[tuple[int, int, int]]
) -> None:
    """CMP-12: also where the clocks of functions differ, by what flows in during twice that difference."""
    stored, bucket, true_time = Stored(), Bucket("runs", rate), START
    taken: list[tuple[int, int]] = []
    for pause, amount, skew in arrivals:
        true_time += pause
        time_.now = true_time + skew
        if admitted(stored, bucket, amount):
            taken.append((true_time, min(amount, rate * CAPACITY // MINUTE)))
    skew_of_any = 2 * max(abs(skew) for *_, skew in arrivals)
    for first, (start, _) in enumerate(taken):
        total = 0
        for end, amount in taken[first:]:
            total += amount
            assert total * MINUTE <= (CAPACITY + (end - start) + skew_of_any) * rate


@settings(deadline=None)
@given(RATES, st.integers(1, 500), st.lists(st.integers(0, MINUTE), max_size=60))
def test_whoever_waits_as_told_is_admitted(time_: Clock, rate: int, amount: int, pauses: list[int]) -> None:
    """CMP-12: never locked out for longer than `Retry-After` says, nor for more than a second less."""
    amount = max(amount, rate // 60)  # else thousands of draws empty it
    stored, bucket, time_.now = Stored(), Bucket("runs", rate), START
    for pause in pauses:
        time_.now += pause
        admitted(stored, bucket, amount)
    while admitted(stored, bucket, amount):
        pass
    with pytest.raises(EmptyError) as refused:
        buckets.draw(bucket, stored.item, amount)
    now = time_.now
    time_.now = now + (refused.value.seconds - 1) * 1000
    assert not admitted(stored, bucket, amount)
    time_.now = now + refused.value.seconds * 1000
    assert admitted(stored, bucket, amount)


@settings(deadline=None)
@given(RATES, st.lists(st.tuples(st.booleans(), st.integers(-5 * MINUTE, MINUTE)), min_size=1, max_size=50))
def test_nothing_moves_a_bucket_back(time_: Clock, rate: int, writes: list[tuple[bool, int]]) -> None:
    """CMP-12: a clock that is behind, or an answer that is old, gives nobody anything."""
    stored, bucket, time_.now = Stored(), Bucket("runs", rate), START
    old = dict(stored.item)
    for is_old, skew in writes:
        time_.now += skew
        before = int(stored.item.get("runs_full_at", 0))
        try:
            drawn = buckets.draw(bucket, old if is_old else stored.item)
        except EmptyError:
            continue
        old = dict(stored.item)
        stored.write(drawn)
        assert int(stored.item.get("runs_full_at", 0)) >= before


def test_what_a_full_bucket_cannot_hold_empties_it(time_: Clock) -> None:
    """CMP-12: so a large run waits, and is never shut out for good."""
    stored, bucket, time_.now = Stored(), Bucket("run_bytes", 1_000), START
    assert admitted(stored, bucket, 1_000_000)
    with pytest.raises(EmptyError) as refused:
        buckets.draw(bucket, stored.item, 1_000_000)
    assert refused.value.seconds == CAPACITY // 1000


def test_no_rate_is_no_limit(time_: Clock) -> None:
    """CMP-12."""
    assert buckets.draw(Bucket("runs", 0), {"runs_full_at": time_.now + 10 * CAPACITY}) == buckets.Draw()
