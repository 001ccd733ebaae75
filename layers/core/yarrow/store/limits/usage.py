"""A user's daily usage (UTC) of what is billed by amount."""

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from yarrow.store import clock, table

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.type_defs import TransactWriteItemTypeDef as WriteItem

KEPT_DAYS = 2


def add_seconds(user_id: str, seconds: int, most: int) -> "WriteItem":
    """The transaction item that counts seconds of speech; fails above `most` a day (0: no limit)."""
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
    return int(item.get("model_tokens", 0)) if item else 0


def reserve_tokens(user_id: str, amount: int, most: int) -> table.Item | None:
    """Count a call's expected tokens; None if `most` are used today.

    Returns the day's key for `settle_tokens`.
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
    """Add the tokens used beyond the reservation, negative if fewer."""
    table.update_returning(day, "ADD model_tokens :more", {":more": more}, "attribute_exists(pk)")


def key(user_id: str) -> table.Item:
    return {"pk": f"USAGE#{user_id}", "sk": f"DAY#{_now():%Y-%m-%d}"}


def seconds_left() -> int:
    """Until the day ends."""
    now = _now()
    tomorrow = (now + timedelta(days=1)).replace(hour=0, minute=0, second=0, microsecond=0)
    return int((tomorrow - now).total_seconds()) + 1


def _now() -> datetime:
    return datetime.fromtimestamp(clock.now_ms() / 1000, UTC)
