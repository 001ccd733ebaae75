"""Attempts to transcribe a recording: one at a time, limited in number.

A claim lasts until its function must have ended; ending it needs its token.
"""

import time
import uuid
from dataclasses import dataclass
from typing import NamedTuple

from yarrow.store import clock, table
from yarrow.store.limits import usage

KEPT_DAYS = 1
"""As long as the recording."""

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


def claim(user_id: str, upload_id: str, most: int, seconds: int, most_seconds: int) -> Claim | None:
    """Begin one of `most` attempts and count its seconds, both or neither.

    None if another is active or none are left. Raises DailyLimitError.
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
            raise DailyLimitError from error
        return None
    return Claim(user_id, upload_id, token)


def finish(claim: Claim) -> None:
    """Whoever holds the claim."""
    table.update_returning(
        _key(claim.user_id, claim.upload_id),
        "SET recognised = :yes, claimed_until = :over",
        {":yes": True, ":over": 0},
        "attribute_exists(pk)",
    )


def give_up(claim: Claim) -> None:
    """Release a failed claim for the next; another's stays."""
    table.update_returning(
        _key(claim.user_id, claim.upload_id),
        "SET claimed_until = :over",
        {":over": 0, ":token": claim.token},
        "claim = :token",
    )


def _key(user_id: str, upload_id: str) -> table.Item:
    return {"pk": f"USER#{user_id}", "sk": f"RECORDING#{upload_id}"}
