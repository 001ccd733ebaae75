"""A user's daily usage (UTC) of speech recognition and models."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from yarrow.store import clock, table
from yarrow.store.items.updates import EXISTS, Attr, Update

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.type_defs import TransactWriteItemTypeDef as WriteItem

KEPT_DAYS = 400
"""For the days of `speech`; limits need today alone."""

_DAY = "DAY#"


def add_seconds(user_id: str, seconds: int, most: int) -> "WriteItem":
    """Make the item that counts seconds of speech; it fails above `most` a day (0: no limit)."""
    counted = Update().add(transcription_seconds=seconds).set(expires_at=clock.epoch_in(KEPT_DAYS))
    if not most:
        return table.update(key(user_id), counted)
    used, room = Attr("transcription_seconds"), most - seconds
    has_room = used.lte(room)
    if room >= 0:
        has_room |= used.not_exists()
    return table.update(key(user_id), counted, has_room)


def tokens(item: table.Item | None) -> int:
    return int(item.get("model_tokens", 0)) if item else 0


def speech_of(item: table.Item | None) -> int:
    """Return the seconds of speech of a day."""
    return int(item.get("transcription_seconds", 0)) if item else 0


def speech(user_id: str, first: str, last: str) -> Iterator[tuple[str, int]]:
    """Read the seconds of speech of each day that has any; a moment may be missing."""
    days = table.query(_partition(user_id), start=f"{_DAY}{first}", before=f"{_DAY}{last}", consistent=False)
    for item in days:
        if seconds := speech_of(item):
            yield item["sk"].removeprefix(_DAY), seconds


def reserve_tokens(user_id: str, amount: int, most: int) -> table.Item | None:
    """Count a call's expected tokens; None if `most` are used today. Returns the day's key for `settle_tokens`."""
    today = key(user_id)
    counted = Update().add(model_tokens=amount).set(expires_at=clock.epoch_in(KEPT_DAYS))
    used = Attr("model_tokens")
    return None if table.update_returning(today, counted, used.not_exists() | used.lt(most)) is None else today


def add_tokens(user_id: str, amount: int) -> "WriteItem":
    """Make the item that counts tokens that are used already, whatever is left of the day's."""
    return table.update(key(user_id), Update().add(model_tokens=amount).set(expires_at=clock.epoch_in(KEPT_DAYS)))


def settle_tokens(day: table.Item, more: int) -> None:
    """Add the tokens used beyond the reservation; negative if fewer."""
    table.update_returning(day, Update().add(model_tokens=more), EXISTS)


def key(user_id: str) -> table.Item:
    return {"pk": _partition(user_id), "sk": f"{_DAY}{_now():%Y-%m-%d}"}


def _partition(user_id: str) -> str:
    return f"USAGE#{user_id}"


def seconds_left() -> int:
    now = _now()
    tomorrow = (now + timedelta(days=1)).replace(hour=0, minute=0, second=0, microsecond=0)
    return int((tomorrow - now).total_seconds()) + 1


def _now() -> datetime:
    return datetime.fromtimestamp(clock.now_ms() / 1000, UTC)
