"""Reads the time of a cast strictly as RFC 3339, like `yarrow.formats.rfc3339`, without importing it."""

import re
from datetime import UTC, datetime, timedelta
from typing import Final

_FORM: Final = re.compile(
    r"(\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):\d\d:)(\d\d)((?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d))",
    re.ASCII | re.IGNORECASE,
)
"""Up to the minute, the seconds, and the rest; `fromisoformat` checks the remaining ranges."""

_LEAP: Final = ((6, 30, 23, 59), (12, 31, 23, 59))
"""The minutes, in UTC, that may have a 61st second."""


def parse(text: object) -> datetime:
    """Parse an instant with an offset, e.g. `2026-04-03T20:30:00+08:00`. Raises ValueError.

    Digits past the microsecond are cut. A leap second becomes the next second.
    """
    form = _FORM.fullmatch(text.upper()) if isinstance(text, str) else None
    if form is None:
        raise ValueError("not an RFC 3339 date-time with an offset")
    minute, second, rest = form.groups()
    if second != "60":
        return datetime.fromisoformat(minute + second + rest)
    try:
        before = datetime.fromisoformat(f"{minute}59{rest}")
        in_utc = before.astimezone(UTC)
        after = before + timedelta(seconds=1)
    except OverflowError:
        raise ValueError("year out of range") from None
    if (in_utc.month, in_utc.day, in_utc.hour, in_utc.minute) not in _LEAP:
        raise ValueError("there is no leap second at this time")
    return after
