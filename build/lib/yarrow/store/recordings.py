"""The tries to recognise a user's recording: one at a time, and only so many.

A try is claimed with a token of its own until its function must have ended. Whoever ends a try gives that token: one
whose claim has run out, and may be another's by now, changes nothing.
"""

import time
import uuid
from dataclasses import dataclass
from typing import NamedTuple

from yarrow.store import clock, table
from yarrow.store.limits import usage

KEPT_DAYS = 1
"""As long as the recording itself."""

CLAIM_SECONDS = 190
"""More than the function may take that recognises it."""


class Tries(NamedTuple):
    """How many tries were begun, whether one is under way, and whether one has succeeded."""

    begun: int = 0
    under_way: bool = False
    recognised: bool = False


@dataclass(frozen=True, slots=True)
class Claim:
    """A try that was begun."""

    user_id: str
    upload_id: str
    token: str


class SpentError(Exception):
    """The user has used up the day's seconds."""


def read(user_id: str, upload_id: str) -> Tries:
    """How the tries stand."""
    item = table.get(_key(user_id, upload_id))
    if item is None:
        return Tries()
    return Tries(int(item["tries"]), item.get("claimed_until", 0) >= time.time(), "recognised" in item)


def claim(user_id: str, upload_id: str, most: int, seconds: int, most_seconds: int) -> Claim | None:
    """Begin a try, `most` in all, and count the seconds that it costs, both or nothing.

    None when another has begun one or no more may be begun. Raises SpentError.
    """
    token, now = uuid.uuid4().hex, int(time.time())
    values = {
        ":token": token,
        ":until": now + CLAIM_SECONDS,
        ":expiry": clock.epoch_in(KEPT_DAYS),
        ":one": 1,
        ":now": now,
        ":most": most,
    }
    try:
        table.transact(
            table.update(
                _key(user_id, upload_id),
                "SET claim = :token, claimed_until = :until, expires_at = :expiry ADD tries :one",
                values,
                "attribute_not_exists(pk) OR "
                "(attribute_not_exists(recognised) AND claimed_until < :now AND tries < :most)",
            ),
            usage.add_seconds(user_id, seconds, most_seconds),
        )
    except table.ConditionFailedError as error:
        is_claimed, is_spent = error.failed
        if is_spent and not is_claimed:
            raise SpentError from error
        return None
    return Claim(user_id, upload_id, token)


def finish(claim: Claim) -> None:
    """End a try that succeeded, whoever has one under way: there is a transcript now."""
    table.update_returning(
        _key(claim.user_id, claim.upload_id),
        "SET recognised = :yes, claimed_until = :over",
        {":yes": True, ":over": 0},
        "attribute_exists(pk)",
    )


def give_up(claim: Claim) -> None:
    """End a try that failed, so that the next one need not wait. The try of another goes on."""
    table.update_returning(
        _key(claim.user_id, claim.upload_id),
        "SET claimed_until = :over",
        {":over": 0, ":token": claim.token},
        "claim = :token",
    )


def _key(user_id: str, upload_id: str) -> table.Item:
    return {"pk": f"USER#{user_id}", "sk": f"RECORDING#{upload_id}"}
