"""What a user has used on a day in UTC of what costs the owner by amount. One item for each day; the day after, nobody
reads it.
"""

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from yarrow.store import clock, table

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.type_defs import TransactWriteItemTypeDef as WriteItem

KEPT_DAYS = 2


def add_seconds(user_id: str, seconds: int, most: int) -> "WriteItem":
    """Count seconds of speech, for a transaction; it fails where that makes more than `most` today; 0 is no limit."""
    values = {":seconds": seconds, ":expiry": clock.epoch_in(KEPT_DAYS)}
    expression = "SET expires_at = :expiry ADD transcription_seconds :seconds"
    if not most:
        return table.update(key(user_id), expression, values)
    room = most - seconds
    has_room = "transcription_seconds <= :room"
    if room >= 0:
        has_room = f"attribute_not_exists(transcription_seconds) OR {has_room}"
    return table.update(key(user_id), expression, {**values, ":room": room}, has_room)


def tokens(item: table.Item | None) -> int:
    """The tokens of models that an item counts."""
    return int(item.get("model_tokens", 0)) if item else 0


def reserve_tokens(user_id: str, amount: int, most: int) -> table.Item | None:
    """Count tokens that a call of a model is expected to use, unless `most` have been used today.

    Returns the key of the day to `settle_tokens` with; None when they have.
    """
    today = key(user_id)
    counted = table.update_returning(
        today,
        "SET expires_at = :expiry ADD model_tokens :amount",
        {":amount": amount, ":expiry": clock.epoch_in(KEPT_DAYS), ":most": most},
        "attribute_not_exists(model_tokens) OR model_tokens < :most",
    )
    return None if counted is None else today


def settle_tokens(day: table.Item, more: int) -> None:
    """Count the tokens that a call used beyond those expected, fewer than 0 if it used less."""
    table.update_returning(day, "ADD model_tokens :more", {":more": more}, "attribute_exists(pk)")


def key(user_id: str) -> table.Item:
    """The key of what the user uses today."""
    return {"pk": f"USAGE#{user_id}", "sk": f"DAY#{_now():%Y-%m-%d}"}


def seconds_left() -> int:
    """How long today lasts."""
    now = _now()
    tomorrow = (now + timedelta(days=1)).replace(hour=0, minute=0, second=0, microsecond=0)
    return int((tomorrow - now).total_seconds()) + 1


def _now() -> datetime:
    return datetime.fromtimestamp(clock.now_ms() / 1000, UTC)
