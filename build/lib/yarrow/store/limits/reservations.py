"""Thread ids that a user uploads to before there is a session: theirs alone for a day (C25)."""

import time

from yarrow.protocol.problems import Code, Problem
from yarrow.store import clock, table

RESERVED_DAYS = 1


def reserve(thread_id: str, user_id: str) -> None:
    """Hold a thread id for a user, from now on for RESERVED_DAYS. Raises Problem 403 when another user holds it."""
    held = table.update_returning(
        key(thread_id),
        "SET user_id = :user, expires_at = :until",
        {":user": user_id, ":until": clock.epoch_in(RESERVED_DAYS), ":now": int(time.time())},
        "attribute_not_exists(pk) OR user_id = :user OR expires_at < :now",
    )
    if held is None:
        raise _of_another()


def check(item: table.Item | None, user_id: str) -> None:
    """Raise Problem 403 when what is stored under the key of a reservation holds the thread id for another user."""
    if item is not None and item["user_id"] != user_id and item["expires_at"] >= time.time():
        raise _of_another()


def key(thread_id: str) -> table.Item:
    """The key of a reservation."""
    return {"pk": table.session_partition(thread_id), "sk": "RESERVATION"}


def _of_another() -> Problem:
    return Problem(Code.AGENT_FORBIDDEN, "the thread belongs to another user")
