"""A user's open streams and the rate of new ones (EVT-06).

A stream renews its slot; the slot of a crashed stream expires.
"""

import time
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from yarrow.store import clock, table
from yarrow.store.limits import buckets

SLOT_SECONDS = 60
RENEW_SECONDS = 20.0

_TRIES = 5
_NO_RATE_LIMIT: Final = buckets.Bucket("streams", 0)


@dataclass(frozen=True, slots=True)
class Slot:
    user_id: str
    id: str


def acquire(user_id: str, most: int, run_key: str = "", opened: buckets.Bucket = _NO_RATE_LIMIT) -> Slot | None:
    """None if `most` are open. Raises EmptyError."""
    slot = Slot(user_id, f"{run_key}.{uuid.uuid4().hex}")
    if _take(slot, most, buckets.draw(opened, None)):
        return slot
    for _ in range(_TRIES):
        item = table.get(_key(user_id))
        if item is None:
            item = {**_key(user_id), "slots": {}, "expires_at": clock.epoch_in(1)}
            _put_if_absent(item)
        expired = [each for each, until in item["slots"].items() if until < time.time()]
        if len(item["slots"]) - len(expired) >= most:
            return None
        drawn = buckets.draw(opened, item)
        if expired:
            names = {f"#s{number}": each for number, each in enumerate(expired)}
            removed = ", ".join(f"slots.{name}" for name in names)
            table.update_returning(_key(user_id), f"REMOVE {removed}", {}, "attribute_exists(slots)", names)
        if _take(slot, most, drawn):
            return slot
    return None


def is_watched(user_id: str, run_key: str) -> bool:
    """Whether the user has a stream of the run."""
    item = table.get(_key(user_id))
    slots = {} if item is None else item["slots"]
    return any(each.startswith(f"{run_key}.") and until >= time.time() for each, until in slots.items())


def renew(slot: Slot) -> None:
    _set(slot, "attribute_exists(slots.#slot)", (), {})


def release(slot: Slot) -> None:
    table.update_returning(
        _key(slot.user_id), "REMOVE slots.#slot", {}, "attribute_exists(slots.#slot)", {"#slot": slot.id}
    )


def _take(slot: Slot, most: int, drawn: buckets.Draw) -> bool:
    # The slot exists already if botocore retried.
    room = " AND ".join(("attribute_exists(slots)", "size(slots) < :most", *drawn.conditions))
    condition = f"({room}) OR attribute_exists(slots.#slot)"
    return _set(slot, condition, drawn.assignments, {":most": most, **drawn.values})


def _set(slot: Slot, condition: str, assignments: Sequence[str], values: Mapping[str, int]) -> bool:
    until = {":until": int(time.time()) + SLOT_SECONDS, ":expiry": clock.epoch_in(1)}
    changed = table.update_returning(
        _key(slot.user_id),
        ", ".join(("SET slots.#slot = :until", "expires_at = :expiry", *assignments)),
        {**until, **values},
        condition,
        {"#slot": slot.id},
    )
    return changed is not None


def _key(user_id: str) -> table.Item:
    return {"pk": f"USER#{user_id}", "sk": "STREAMS"}


def _put_if_absent(item: table.Item) -> None:
    try:
        table.transact(table.put(item, "attribute_not_exists(pk)"))
    except table.ConditionFailedError:
        return
