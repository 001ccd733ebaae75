"""The time, as it is stored and shown: UTC, ISO 8601 with its offset (SEC-08)."""

import time
from datetime import UTC, datetime, timedelta


def now_iso() -> str:
    """This moment to the millisecond, e.g. `2026-04-05T12:34:56.789+00:00`."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def now_ms() -> int:
    """This moment in milliseconds since the epoch."""
    return int(time.time() * 1000)


def since(moment: str) -> timedelta:
    """How long ago a moment was that `now_iso` wrote."""
    return datetime.now(UTC) - datetime.fromisoformat(moment)


def epoch_in(days: int) -> int:
    """The second, since the epoch, that many days from now: what DynamoDB's time-to-live takes."""
    return int(datetime.now(UTC).timestamp()) + days * 86_400
