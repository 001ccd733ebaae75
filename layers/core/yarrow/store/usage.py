"""What a user has used on a day in UTC of what costs the owner by amount. One item for each day; the day after, nobody
reads it.
"""

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Literal

from yarrow.store import clock, table

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.type_defs import TransactWriteItemTypeDef as WriteItem

KEPT_DAYS = 2

Amount = Literal["transcription_seconds"]


def add(user_id: str, what: Amount, amount: int, most: int) -> "WriteItem":
    """Count so much, for a transaction; it fails where more than `most` would have been used today. 0 is no limit."""
    values = {":amount": amount, ":room": most - amount, ":expiry": clock.epoch_in(KEPT_DAYS)}
    if not most:
        del values[":room"]
    expression = f"SET expires_at = :expiry ADD {what} :amount"
    has_room = f"attribute_not_exists({what}) OR {what} <= :room" if most else None
    return table.update(key(user_id), expression, values, has_room)


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
