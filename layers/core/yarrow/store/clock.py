"""Timestamps as stored and shown: UTC, ISO 8601 with offset (SEC-08)."""

import time
from datetime import UTC, datetime, timedelta


def now() -> datetime:
    return datetime.now(UTC)


def iso(moment: datetime) -> str:
    """Format a time to the millisecond: `2026-04-05T12:34:56.789+00:00`."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds")


def now_iso() -> str:
    return iso(now())


def now_ms() -> int:
    return int(time.time() * 1000)


def since(moment: str) -> timedelta:
    return now() - datetime.fromisoformat(moment)


def epoch_in(days: int) -> int:
    """Return a DynamoDB TTL: seconds since the epoch."""
    return int(datetime.now(UTC).timestamp()) + days * 86_400
