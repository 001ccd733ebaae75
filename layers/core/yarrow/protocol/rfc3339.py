"""Strict RFC 3339 timestamps, the only date-times this service reads from a client.

`datetime.fromisoformat` also takes basic format, week dates, missing seconds and missing offsets, and pydantic's
datetime takes numbers; a divination to the second cannot.
"""

import re
from datetime import UTC, datetime, timedelta, timezone
from typing import Annotated

from pydantic import BeforeValidator, PlainSerializer

_PATTERN = re.compile(
    r"(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(?:([Zz])|([+-])(\d{2}):(\d{2}))",
    re.ASCII,
)


def parse_rfc3339(text: object) -> datetime:
    """Read an RFC 3339 date-time with its offset, e.g. `2026-04-03T20:30:00+08:00` or `2026-04-03T12:30:00.5Z`.

    Digits past the microsecond are cut. A leap second (`23:59:60` UTC at the end of June or December) becomes the
    second after it. Raises ValueError for anything else, naive times and dates alone included.
    """
    match = _PATTERN.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        raise ValueError("not an RFC 3339 date-time with an offset")
    year, month, day, hour, minute, second = (int(part) for part in match.group(1, 2, 3, 4, 5, 6))
    fraction, zulu, sign, offset_hour, offset_minute = match.group(7, 8, 9, 10, 11)
    if zulu:
        zone = UTC
    else:
        if int(offset_hour) > 23 or int(offset_minute) > 59:
            raise ValueError("offset out of range")
        offset = timedelta(hours=int(offset_hour), minutes=int(offset_minute))
        zone = timezone(-offset if sign == "-" else offset)
    microsecond = int((fraction or "0")[:6].ljust(6, "0"))
    leap = second == 60
    moment = datetime(year, month, day, hour, minute, 59 if leap else second, microsecond, tzinfo=zone)
    if leap:
        in_utc = moment.astimezone(UTC)
        if (in_utc.month, in_utc.day, in_utc.hour, in_utc.minute) not in {(6, 30, 23, 59), (12, 31, 23, 59)}:
            raise ValueError("no leap second falls there")
        moment += timedelta(seconds=1)
    return moment


Rfc3339 = Annotated[datetime, BeforeValidator(parse_rfc3339), PlainSerializer(datetime.isoformat, return_type=str)]
"""A pydantic field read by `parse_rfc3339` and written back in ISO 8601 with its offset."""
