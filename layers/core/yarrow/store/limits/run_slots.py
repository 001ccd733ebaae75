"""A user's active runs and the rate of new ones. One item, written in the transaction that stores a run: no extra call,
but concurrent submits collide and are retried. Ending a run does not write it.
"""

from collections.abc import Collection
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from yarrow.store import clock, runs, table
from yarrow.store.items.updates import EXISTS, Attr, Update
from yarrow.store.limits import buckets

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.type_defs import TransactWriteItemTypeDef as WriteItem

MARGIN: Final = timedelta(minutes=25)
"""A run counts as active this long after its `max_minutes`: longer than it waits for workers."""

KEPT_DAYS = 2
"""More than the longest run."""


def key(user_id: str) -> table.Item:
    return {"pk": f"USER#{user_id}", "sk": "RUNS"}


def stored(item: table.Item | None) -> frozenset[str]:
    return frozenset(item.get("run_keys", ())) if item else frozenset()


def make_room(user_id: str, named: Collection[str], most: int) -> bool:
    """Return whether one more of `most` runs (0: no cap) is allowed; removes ended runs from a full list."""
    if not most or len(named) < most:
        return True
    found = table.get_all(*map(table.run_key_of, named))
    over = {run_key for run_key, item in zip(named, found, strict=True) if item is None or not _counts(item)}
    if over:
        table.update_returning(key(user_id), Update().delete(run_keys=over), EXISTS)
    return len(named) - len(over) < most


def add(user_id: str, run_key: str, most: int, drawn: buckets.Draw) -> list["WriteItem"]:
    """Make the item that lists a run and draws; it fails if `most` are listed. Empty without limits."""
    listed = Attr("run_keys")
    if most:
        drawn += buckets.Draw(Update().add(run_keys={run_key}), listed.not_exists() | listed.size_lt(most))
    if not drawn:
        return []
    return [table.update(key(user_id), drawn.changes.set(expires_at=clock.epoch_in(KEPT_DAYS)), drawn.condition)]


def _counts(item: table.Item) -> bool:
    run = runs.stored(item)
    return not run.ended and clock.since(run.created_at) < MARGIN + timedelta(minutes=run.max_minutes)
