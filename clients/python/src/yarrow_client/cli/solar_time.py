"""Converts a time to true solar time, as the guided cast does: the same instant, at the Sun's offset."""

import os
from datetime import datetime, timedelta, timezone
from math import cos, degrees, radians, sin, tan
from typing import Final
from zoneinfo import ZoneInfo

_MINUTE: Final = timedelta(minutes=1)
_DAY: Final = timedelta(days=1)


class NotLongitude(ValueError):
    """The text is not a number from -180 to 180."""


def read_longitude(text: str) -> float:
    """Read degrees, east positive. Raises NotLongitude."""
    try:
        longitude = float(text)
    except ValueError as error:
        raise NotLongitude(text) from error
    if not -180 <= longitude <= 180:
        raise NotLongitude(text)
    return longitude


def equation_of_time(moment: datetime) -> float:
    """Return true less mean solar time at an instant, in minutes.

    Source: Smart's formula in Meeus, Astronomical Algorithms, (28.3).
    """
    t = (moment.timestamp() - 946_728_000) / (36_525 * 86_400)
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
    """Return an aware date-time at the Sun's offset, to the minute; of two days, the one nearer to the clock."""
    offset = round(4 * longitude + equation_of_time(moment)) * _MINUTE
    of_clock = offset - round((offset - (moment.utcoffset() or timedelta())) / _DAY) * _DAY
    return moment.astimezone(timezone(of_clock if abs(of_clock) < _DAY else offset))


def zone_name() -> str | None:
    """Return the IANA name of this machine's zone, from TZ or the link /etc/localtime; None if neither has it."""
    name = os.environ.get("TZ", "").removeprefix(":") or os.path.realpath("/etc/localtime").partition("/zoneinfo/")[2]
    try:
        return ZoneInfo(name).key if name else None
    except (ValueError, OSError, KeyError):
        return None
