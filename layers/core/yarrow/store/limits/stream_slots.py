"""A user's open streams and the rate of new ones (EVT-06). A stream renews its slot; after a crash it expires."""

import time
import uuid
from dataclasses import dataclass
from typing import Final

from yarrow.store import clock, table
from yarrow.store.items.updates import IS_NEW, Attr, Condition, Update
from yarrow.store.limits import buckets

SLOT_SECONDS = 60
RENEW_SECONDS = 20.0

_TRIES = 5
_NO_CHARGE: Final = (buckets.Bucket("stream_bytes", 0), 0)

NONE_OPEN: Final[table.Item] = {"slots": {}}


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
    """Take a slot; None if `most` are open. Draws `opened`; `item` is as read or supposed. Raises EmptyError."""
    slot = Slot(user_id, f"{run_key}.{uuid.uuid4().hex}")
    for _ in range(_TRIES):
        drawn = buckets.draw_all(opened, item)
        if item is None:
            taken, item = _take_first(slot, drawn)
        else:
            expired = [slot_id for slot_id, until in item["slots"].items() if until < time.time()]
            if len(item["slots"]) - len(expired) >= most:
                return None
            if expired:
                removed = Update().remove_members("slots", expired)
                table.update_returning(key(user_id), removed, Attr("slots").exists())
            taken, item = _take(slot, most, drawn)
        if taken:
            return slot
    return None


def is_watched(user_id: str, run_key: str) -> bool:
    return _is_watched(table.get(key(user_id)), run_key)


def was_watched(user_id: str, run_key: str) -> bool:
    """Return whether a stream shows the run, or has shown its end and that of no other run since."""
    item = table.get(key(user_id))
    return _is_watched(item, run_key) or (item is not None and item.get("shown_run") == run_key)


def _is_watched(item: table.Item | None, run_key: str) -> bool:
    slots = {} if item is None else item["slots"]
    return any(slot_id.startswith(f"{run_key}.") and until >= time.time() for slot_id, until in slots.items())


def renew(slot: Slot) -> None:
    table.update_or_read(key(slot.user_id), _renewed(slot), _is_open(slot))


def release(slot: Slot, sent: buckets.Amount = _NO_CHARGE, *, has_shown_end: bool = False) -> None:
    """Release a slot and charge for `sent`, in one write; an expired slot is not charged."""
    shown = Update().set(shown_run=slot.id.partition(".")[0]) if has_shown_end else Update()
    for charged in buckets.charges(*sent):
        released = charged.changes.remove_members("slots", [slot.id]) + shown
        done, item = table.update_or_read(key(slot.user_id), released, _is_open(slot) & charged.condition)
        if done or item is None or slot.id not in item["slots"]:
            return


def _take(slot: Slot, most: int, drawn: buckets.Draw) -> tuple[bool, table.Item | None]:
    # The slot exists already if botocore retried.
    has_room = Attr("slots").exists() & Attr("slots").size_lt(most) & drawn.condition
    return table.update_or_read(key(slot.user_id), _renewed(slot) + drawn.changes, has_room | _is_open(slot))


def _take_first(slot: Slot, drawn: buckets.Draw) -> tuple[bool, table.Item | None]:
    """Take a slot in a new item: DynamoDB cannot set a member of a missing map."""
    first = drawn.changes.set(slots={slot.id: _until()}, expires_at=clock.epoch_in(1))
    return table.update_or_read(key(slot.user_id), first, IS_NEW & drawn.condition)


def _renewed(slot: Slot) -> Update:
    return Update().set_member("slots", slot.id, _until()).set(expires_at=clock.epoch_in(1))


def _is_open(slot: Slot) -> Condition:
    return Attr("slots", slot.id).exists()


def _until() -> int:
    return int(time.time()) + SLOT_SECONDS


def key(user_id: str) -> table.Item:
    return {"pk": f"USER#{user_id}", "sk": "STREAMS"}
