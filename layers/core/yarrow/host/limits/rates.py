"""The rates of a user's requests: which there are, and the answer where one is used up (CMP-12)."""

from collections.abc import Iterator
from contextlib import contextmanager

from yarrow.protocol.problems import Code, Problem
from yarrow.settings import settings
from yarrow.store import buckets
from yarrow.store.buckets import Bucket


@contextmanager
def limited() -> Iterator[None]:
    """Around what draws from a bucket. Raises Problem 429, which says when to come again."""
    try:
        yield
    except buckets.EmptyError as error:
        raise Problem(
            Code.AGENT_RATE_LIMIT,
            f"too many {error.bucket.name.replace('_', ' ')} a minute",
            params={"of": error.bucket.name, "perMinute": error.bucket.per_minute},
            retry_after=error.seconds,
        ) from error


def submitted(item: dict[str, object] | None, size: int) -> buckets.Draw:
    """What a new run of so many bytes draws from the buckets of the item. Raises EmptyError."""
    runs = buckets.draw(Bucket("runs", settings.runs_per_minute), item)
    return runs + buckets.draw(Bucket("run_bytes", settings.run_bytes_per_minute), item, size)
