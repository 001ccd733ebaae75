"""Thread ids reserved by uploads before the session exists (C25)."""

import time

from yarrow.protocol.problems import Code, Problem
from yarrow.store import clock, table
from yarrow.store.items.updates import IS_NEW, Attr, Update

RESERVED_DAYS = 1


def reserve(thread_id: str, user_id: str) -> None:
    """Reserve an id. Raises Problem 403 if another user has it."""
    held = Update().set(user_id=user_id, expires_at=clock.epoch_in(RESERVED_DAYS))
    is_free = IS_NEW | Attr("user_id").eq(user_id) | Attr("expires_at").lt(int(time.time()))
    if table.update_returning(key(thread_id), held, is_free) is None:
        raise _of_another()


def check(item: table.Item | None, user_id: str) -> None:
    """Raise Problem 403 if another user has reserved the id."""
    if item is not None and item["user_id"] != user_id and item["expires_at"] >= time.time():
        raise _of_another()


def key(thread_id: str) -> table.Item:
    return {"pk": table.session_partition(thread_id), "sk": "RESERVATION"}


def _of_another() -> Problem:
    return Problem(Code.AGENT_FORBIDDEN, "the thread belongs to another user")
