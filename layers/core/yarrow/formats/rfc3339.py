"""Strict RFC 3339 timestamps, the only date-times read from clients."""

import re
from datetime import UTC, datetime, timedelta

# The form; `fromisoformat` checks the remaining ranges.
_PATTERN = re.compile(
    r"\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):\d\d:\d\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)",
    re.ASCII | re.IGNORECASE,
)

_SECONDS = slice(17, 19)


def parse_rfc3339(text: object) -> datetime:
    """Parse e.g. `2026-04-03T20:30:00+08:00` or `2026-04-03T12:30:00.5Z`. Raises ValueError.

    Digits past the microsecond are cut. A leap second (end of June or December, UTC) becomes the next second.
    """
    if not isinstance(text, str) or _PATTERN.fullmatch(text) is None:
        raise ValueError("not an RFC 3339 date-time with an offset")
    text = text.upper()
    if text[_SECONDS] != "60":
        return datetime.fromisoformat(text)
    try:
        before = datetime.fromisoformat(f"{text[: _SECONDS.start]}59{text[_SECONDS.stop :]}")
        in_utc = before.astimezone(UTC)
        after = before + timedelta(seconds=1)
    except OverflowError:
        raise ValueError("year out of range") from None
    if (in_utc.month, in_utc.day, in_utc.hour, in_utc.minute) not in {(6, 30, 23, 59), (12, 31, 23, 59)}:
        raise ValueError("there is no leap second at this time")
    return after
