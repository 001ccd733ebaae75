"""A user's active runs and the rate of new ones.

One item, written in the transaction that stores a run: no extra call, but a user's concurrent submits collide and are
retried. Ending a run does not write it.
"""

from collections.abc import Collection
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from yarrow.store import clock, runs, table
from yarrow.store.limits import buckets

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.type_defs import TransactWriteItemTypeDef as WriteItem

LONGEST: Final = timedelta(minutes=30)
"""More than an execution's 20 minutes."""

KEPT_DAYS = 1


def key(user_id: str) -> table.Item:
    return {"pk": f"USER#{user_id}", "sk": "RUNS"}


def stored(item: table.Item | None) -> frozenset[str]:
    return frozenset(item.get("run_keys", ())) if item else frozenset()


def make_room(user_id: str, named: Collection[str], most: int) -> bool:
    """Whether one more of `most` runs (0: no cap) is allowed; removes ended runs from a full list."""
    if not most or len(named) < most:
        return True
    found = table.get_all(*map(table.run_key_of, named))
    over = {run_key for run_key, item in zip(named, found, strict=True) if item is None or not _counts(item)}
    if over:
        table.update_returning(key(user_id), "DELETE run_keys :over", {":over": over}, "attribute_exists(pk)")
    return len(named) - len(over) < most


def add(user_id: str, run_key: str, most: int, drawn: buckets.Draw) -> list["WriteItem"]:
    """The transaction item that lists a run and draws; fails if `most` are listed. Empty without limits."""
    assignments, conditions = list(drawn.assignments), list(drawn.conditions)
    values: dict[str, object] = dict(drawn.values)
    added = ""
    if most:
        conditions.append("(attribute_not_exists(run_keys) OR size(run_keys) < :most)")
        values |= {":run": {run_key}, ":most": most}
        added = " ADD run_keys :run"
    if not conditions:
        return []
    values[":expiry"] = clock.epoch_in(KEPT_DAYS)
    expression = f"SET {', '.join(['expires_at = :expiry', *assignments])}{added}"
    return [table.update(key(user_id), expression, values, " AND ".join(conditions))]


def _counts(item: table.Item) -> bool:
    run = runs.stored(item)
    return not run.ended and clock.since(run.created_at) < LONGEST
