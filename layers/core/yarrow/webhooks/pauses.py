"""When attempts are made: at once, then after pauses that grow, for about a day (Standard Webhooks, "Delivery")."""

from datetime import timedelta
from typing import Final
from zlib import crc32

PAUSES: Final = (5, 60, 300, 1_800, 7_200, 18_000, 28_800, 30_000)
"""Seconds after the first attempt, the second, and so on; together 24 hours."""

MAX_ATTEMPTS: Final = len(PAUSES) + 1

LASTING: Final = timedelta(hours=23)
"""A webhook that failed for so long, when a delivery is given up, is disabled."""

_SPREAD: Final = 0.1
"""Pauses are up to so much longer: what failed together is not attempted together again."""

_MAX_WAIT: Final = 86_400.0
"""The longest that a receiver may ask to be left alone."""

_MAX_REST: Final = 600


def pause(delivery_id: str, attempts: int, retry_after: float | None) -> timedelta:
    """Return how long after so many attempts the next one follows; a receiver may ask for more."""
    spread = crc32(f"{delivery_id} {attempts}".encode()) / 2**32 * _SPREAD
    planned = PAUSES[attempts - 1] * (1 + spread)
    return timedelta(seconds=max(planned, min(retry_after or 0.0, _MAX_WAIT)))


def rest(failures: int, retry_after: float | None) -> timedelta:
    """Return how long a receiver is left alone after so many failed attempts in a row."""
    planned = min(2 ** min(failures, 10), _MAX_REST)
    return timedelta(seconds=max(planned, min(retry_after or 0.0, _MAX_REST)))
