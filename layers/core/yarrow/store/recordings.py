"""Attempts to transcribe a recording: one at a time, limited in number. A claim outlasts its function; ending it needs
its token.
"""

import time
import uuid
from dataclasses import dataclass
from typing import NamedTuple

from yarrow.store import clock, table
from yarrow.store.items.updates import EXISTS, IS_NEW, Attr, Update
from yarrow.store.limits import usage

KEPT_DAYS = 1
"""Days; as long as the recording."""

CLAIM_SECONDS = 190
"""More than the transcription function's timeout."""


class Tries(NamedTuple):
    begun: int = 0
    under_way: bool = False
    recognised: bool = False


@dataclass(frozen=True, slots=True)
class Claim:
    user_id: str
    upload_id: str
    token: str


class DailyLimitError(Exception):
    """No seconds are left today."""


def read(user_id: str, upload_id: str) -> Tries:
    item = table.get(_key(user_id, upload_id))
    if item is None:
        return Tries()
    return Tries(int(item["tries"]), item.get("claimed_until", 0) >= time.time(), "recognised" in item)


def claim(user_id: str, upload_id: str, most: int, seconds: int, max_seconds: int) -> Claim | None:
    """Begin one of `most` attempts and count its seconds, both or neither; None if another is active or none are left.
    Raises DailyLimitError.
    """
    token, now = uuid.uuid4().hex, int(time.time())
    begun = Update().set(claim=token, claimed_until=now + CLAIM_SECONDS, expires_at=clock.epoch_in(KEPT_DAYS))
    is_idle = Attr("recognised").not_exists() & Attr("claimed_until").lt(now)
    may_begin = IS_NEW | (is_idle & Attr("tries").lt(most))
    try:
        table.transact(
            table.update(_key(user_id, upload_id), begun.add(tries=1), may_begin),
            usage.add_seconds(user_id, seconds, max_seconds),
        )
    except table.ConditionFailedError as error:
        is_claimed, is_spent = error.failed
        if is_spent and not is_claimed:
            raise DailyLimitError from error
        return None
    return Claim(user_id, upload_id, token)


def finish(claim: Claim) -> None:
    """Mark the recording as recognised, whoever holds the claim."""
    table.update_returning(_key(claim.user_id, claim.upload_id), Update().set(recognised=True, claimed_until=0), EXISTS)


def give_up(claim: Claim) -> None:
    """Release a failed claim, so that the next attempt can begin."""
    table.update_returning(
        _key(claim.user_id, claim.upload_id), Update().set(claimed_until=0), Attr("claim").eq(claim.token)
    )


def _key(user_id: str, upload_id: str) -> table.Item:
    return {"pk": f"USER#{user_id}", "sk": f"RECORDING#{upload_id}"}
