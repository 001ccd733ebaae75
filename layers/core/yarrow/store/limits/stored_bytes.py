"""The bytes of a user's attachments. The bucket expires objects without notice: the number is then too high, until a
listing corrects it (`begin_recount`, `finish_recount`). A file stored during a listing may count twice until the next
one.
"""

from dataclasses import dataclass
from typing import Final

from yarrow.store import clock, table
from yarrow.store.items.updates import Attr, Update

RECOUNT_SECONDS: Final = 3600
"""Seconds between two listings for one user."""


@dataclass(frozen=True, slots=True)
class Recount:
    """`stored` is the number when it began."""

    user_id: str
    stored: int


def add(user_id: str, amount: int, most: int) -> bool:
    """Count bytes about to be stored; False beyond `most`, or if the user's were never counted."""
    has_room = Attr("stored_bytes").lte(most - amount)
    return table.update_returning(key(user_id), Update().increase(stored_bytes=amount), has_room) is not None


def give_back(user_id: str, amount: int) -> None:
    table.update_returning(key(user_id), Update().increase(stored_bytes=-amount), Attr("stored_bytes").exists())


def begin_recount(user_id: str) -> Recount | None:
    """Begin a recount; None if another began within RECOUNT_SECONDS."""
    now = clock.now_ms() // 1000
    last = Attr("recounted_at")
    is_due = last.not_exists() | last.lte(now - RECOUNT_SECONDS)
    begun = table.update_returning(key(user_id), Update().set(recounted_at=now).set_once(stored_bytes=0), is_due)
    return None if begun is None else Recount(user_id, int(begun["stored_bytes"]))


def finish_recount(recount: Recount, found: int) -> None:
    """Set the number to the bytes found, plus those counted since."""
    difference = Update().increase(stored_bytes=found - recount.stored)
    table.update_returning(key(recount.user_id), difference, Attr("stored_bytes").exists())


def key(user_id: str) -> table.Item:
    return {"pk": f"USER#{user_id}", "sk": "STORED"}
