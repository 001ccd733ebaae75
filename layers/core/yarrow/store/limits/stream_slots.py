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
_NO_CHARGE: Final = (buckets.Bucket("stream_bytes", 0), 0)

NONE_OPEN: Final[table.Item] = {"slots": {}}
"""What most users' items are like."""


@dataclass(frozen=True, slots=True)
class Slot:
    user_id: str
    id: str


def acquire(
    user_id: str,
    most: int,
    run_key: str = "",
    opened: buckets.Amounts = (),
    item: table.Item | None = NONE_OPEN,
) -> Slot | None:
    """None if `most` are open. Draws what is `opened`; `item` is as it was read, or supposed. Raises EmptyError."""
    slot = Slot(user_id, f"{run_key}.{uuid.uuid4().hex}")
    for _ in range(_TRIES):
        drawn = buckets.draw_all(opened, item)
        if item is None:
            taken, item = _take_first(slot, drawn)
        else:
            expired = [each for each, until in item["slots"].items() if until < time.time()]
            if len(item["slots"]) - len(expired) >= most:
                return None
            if expired:
                names = {f"#s{number}": each for number, each in enumerate(expired)}
                removed = ", ".join(f"slots.{name}" for name in names)
                table.update_returning(key(user_id), f"REMOVE {removed}", {}, "attribute_exists(slots)", names)
            taken, item = _take(slot, most, drawn)
        if taken:
            return slot
    return None


def is_watched(user_id: str, run_key: str) -> bool:
    """Whether the user has a stream of the run."""
    item = table.get(key(user_id))
    slots = {} if item is None else item["slots"]
    return any(each.startswith(f"{run_key}.") and until >= time.time() for each, until in slots.items())


def renew(slot: Slot) -> None:
    _set(slot, "attribute_exists(slots.#slot)", (), {})


def release(slot: Slot, sent: buckets.Amount = _NO_CHARGE) -> None:
    """Charge for what was `sent` in the same write; not for a slot that has expired."""
    for charged in buckets.charges(*sent):
        assignments = f" SET {', '.join(charged.assignments)}" if charged.assignments else ""
        condition = " AND ".join(("attribute_exists(slots.#slot)", *charged.conditions))
        names = {"#slot": slot.id}
        expression = f"REMOVE slots.#slot{assignments}"
        done, item = table.update_or_read(key(slot.user_id), expression, charged.values, condition, names)
        if done or item is None or slot.id not in item["slots"]:
            return


def _take(slot: Slot, most: int, drawn: buckets.Draw) -> tuple[bool, table.Item | None]:
    # The slot exists already if botocore retried.
    room = " AND ".join(("attribute_exists(slots)", "size(slots) < :most", *drawn.conditions))
    condition = f"({room}) OR attribute_exists(slots.#slot)"
    return _set(slot, condition, drawn.assignments, {":most": most, **drawn.values})


def _take_first(slot: Slot, drawn: buckets.Draw) -> tuple[bool, table.Item | None]:
    """In a new item: a member of a map that is missing cannot be set."""
    values = {":slots": {slot.id: _until()}, ":expiry": clock.epoch_in(1), **drawn.values}
    expression = ", ".join(("SET slots = :slots", "expires_at = :expiry", *drawn.assignments))
    condition = " AND ".join(("attribute_not_exists(pk)", *drawn.conditions))
    return table.update_or_read(key(slot.user_id), expression, values, condition)


def _set(
    slot: Slot, condition: str, assignments: Sequence[str], values: Mapping[str, int]
) -> tuple[bool, table.Item | None]:
    return table.update_or_read(
        key(slot.user_id),
        ", ".join(("SET slots.#slot = :until", "expires_at = :expiry", *assignments)),
        {":until": _until(), ":expiry": clock.epoch_in(1), **values},
        condition,
        {"#slot": slot.id},
    )


def _until() -> int:
    return int(time.time()) + SLOT_SECONDS


def key(user_id: str) -> table.Item:
    return {"pk": f"USER#{user_id}", "sk": "STREAMS"}
