"""How many bytes a user's attachments take.

Objects also go without a word, when the bucket's lifecycle expires them: the number is then too high, until it is set
to what a listing of the bucket found (`begin_recount`, `finish_recount`). A file that is stored during a listing may be
in both: it counts twice until the next one.
"""

from dataclasses import dataclass
from typing import Final

from yarrow.store import clock, table

RECOUNT_SECONDS: Final = 3600
"""Between two listings for one user."""


@dataclass(frozen=True, slots=True)
class Recount:
    """`stored` is the number when it began."""

    user_id: str
    stored: int


def add(user_id: str, amount: int, most: int) -> bool:
    """Count bytes that are about to be stored. False beyond `most`, or if the user's were never counted."""
    counted = table.update_returning(
        key(user_id),
        "SET stored_bytes = stored_bytes + :amount",
        {":amount": amount, ":room": most - amount},
        "stored_bytes <= :room",
    )
    return counted is not None


def give_back(user_id: str, amount: int) -> None:
    """For bytes that were not stored."""
    values = {":amount": amount}
    table.update_returning(
        key(user_id), "SET stored_bytes = stored_bytes - :amount", values, "attribute_exists(stored_bytes)"
    )


def begin_recount(user_id: str) -> Recount | None:
    """None if another began within RECOUNT_SECONDS."""
    now = clock.now_ms() // 1000
    begun = table.update_returning(
        key(user_id),
        "SET recounted_at = :now, stored_bytes = if_not_exists(stored_bytes, :zero)",
        {":now": now, ":earlier": now - RECOUNT_SECONDS, ":zero": 0},
        "attribute_not_exists(recounted_at) OR recounted_at <= :earlier",
    )
    return None if begun is None else Recount(user_id, int(begun["stored_bytes"]))


def finish_recount(recount: Recount, found: int) -> None:
    """Set the number to what was found, and to what was counted since the recount began."""
    table.update_returning(
        key(recount.user_id),
        "SET stored_bytes = stored_bytes + :difference",
        {":difference": found - recount.stored},
        "attribute_exists(stored_bytes)",
    )


def key(user_id: str) -> table.Item:
    return {"pk": f"USER#{user_id}", "sk": "STORED"}
