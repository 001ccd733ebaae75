"""Computes true solar time (真太阳时) as an offset from UTC.

The derivation takes day and hour from the wall clock of a time's own offset, so a cast by true solar time is the same
instant at another offset.
"""

from datetime import datetime, timedelta, timezone
from math import cos, degrees, radians, sin, tan
from typing import Final
from zoneinfo import ZoneInfo

_MINUTE: Final = timedelta(minutes=1)
_DAY: Final = timedelta(days=1)
_QUARTER: Final = timedelta(minutes=15)
_J2000: Final = 946_728_000
"""2000-01-01 12:00 UTC in Unix seconds."""
_CENTURY: Final = 36_525 * 86_400


def equation_of_time(moment: datetime) -> float:
    """Return true less mean solar time at an instant, in minutes.

    Source: W. M. Smart's formula as in J. Meeus, Astronomical Algorithms (1998), (28.3), with the Sun's elements of
    chapter 25 and the obliquity of (22.2). Within 5 s of ERFA from 1901 to 2099.
    """
    t = (moment.timestamp() - _J2000) / _CENTURY
    longitude = radians((280.46646 + (36_000.76983 + 0.0003032 * t) * t) % 360)
    anomaly = radians((357.52911 + (35_999.05029 - 0.0001537 * t) * t) % 360)
    eccentricity = 0.016708634 - (0.000042037 + 0.0000001267 * t) * t
    y = tan(radians(23.439291 - 0.0130042 * t) / 2) ** 2
    angle = (
        y * sin(2 * longitude)
        - 2 * eccentricity * sin(anomaly)
        + 4 * eccentricity * y * sin(anomaly) * cos(2 * longitude)
        - y * y * sin(4 * longitude) / 2
        - 5 * eccentricity * eccentricity * sin(2 * anomaly) / 4
    )
    return 4 * degrees(angle)


def solar_time(moment: datetime, longitude: float) -> datetime:
    """Return an aware date-time at the offset of the true solar time of a longitude, in degrees, east positive.

    The offset is one of whole minutes, as RFC 3339 has it, so the clock's time is within 35 s of the Sun's; of the two
    days that it may name, the one nearer to the clock of `moment`. Raises ValueError outside -180 to 180.
    """
    if not -180 <= longitude <= 180:
        raise ValueError("longitude is not from -180 to 180")
    offset = round(4 * longitude + equation_of_time(moment)) * _MINUTE
    of_clock = offset - round((offset - (moment.utcoffset() or timedelta())) / _DAY) * _DAY
    # No zone has an offset of a day, but a clock may be of a zone far from the longitude.
    return moment.astimezone(timezone(of_clock if abs(of_clock) < _DAY else offset))


def civil_time(moment: datetime, time_zone: str) -> datetime | None:
    """Return the clock's time in an IANA zone, for a time whose offset only true solar time has; None for any other.

    Offsets of clocks are whole quarters of an hour. One offset of true solar time in fifteen is as well, and is not
    recognised.
    """
    return None if not (moment.utcoffset() or timedelta()) % _QUARTER else moment.astimezone(ZoneInfo(time_zone))
