"""The runs of a user that may be active, and the rate of new ones, so that there can be a cap on both.

One item per user names the runs and holds the buckets that new ones draw from. The transaction that stores a run writes
it, so that neither is there without the other, whatever is lost of a submit; and it takes no call of its own, which the
first event would wait for. Submits of one user at the same moment collide there, and are tried again. The end of a run
touches nothing here: that would be a write more of every run. Who finds no room looks instead which of those that are
named have ended, and takes them out: one that ended a moment ago makes room at once.
"""

from collections.abc import Collection
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from yarrow.store import clock, runs, table
from yarrow.store.limits import buckets

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.type_defs import TransactWriteItemTypeDef as WriteItem

LONGEST: Final = timedelta(minutes=30)
"""For how long a run counts that nobody ends: more than an execution may take, 20 minutes."""

KEPT_DAYS = 1


def key(user_id: str) -> table.Item:
    """The key of the item that names a user's runs."""
    return {"pk": f"USER#{user_id}", "sk": "RUNS"}


def stored(item: table.Item | None) -> frozenset[str]:
    """The keys of the runs that an item names."""
    return frozenset(item.get("run_keys", ())) if item else frozenset()


def make_room(user_id: str, named: Collection[str], most: int) -> bool:
    """Whether a user of whom these runs are named may have one more, `most` in all; 0 is no cap.

    For want of room, it takes out those that count no longer.
    """
    if not most or len(named) < most:
        return True
    found = table.get_all(*map(table.run_key_of, named))
    over = {run_key for run_key, item in zip(named, found, strict=True) if item is None or not _counts(item)}
    if over:
        table.update_returning(key(user_id), "DELETE run_keys :over", {":over": over}, "attribute_exists(pk)")
    return len(named) - len(over) < most


def add(user_id: str, run_key: str, most: int, drawn: buckets.Draw) -> list["WriteItem"]:
    """What names a run and draws for it, for the transaction that stores it; it fails where `most` are named.

    Nothing where there is no limit of either kind.
    """
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
