"""Computes which other pillars the time of a cast could have, as a pure function of the time.

A clock may be minutes off, schools differ on when the day changes, China kept summer time from 1986 to 1991, and
true solar time differs from the clock. None of it changes a derivation.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from enum import StrEnum
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from liuyao.calendar import DayChange, Pillars, pillars

MARGIN: Final = timedelta(minutes=3)
"""How far off a clock may be."""

SUMMER_TIME_YEARS: Final = range(1986, 1992)

_HOUR: Final = timedelta(hours=1)
_CHINA: Final = timezone(8 * _HOUR)
_CHINA_IN_SUMMER: Final = timezone(9 * _HOUR)


class Ambiguity(StrEnum):
    """The reasons why a time could have other pillars."""

    MONTH_EDGE = "节"
    """Within MARGIN of a 节, which begins a month."""
    HOUR_EDGE = "时"
    """Within MARGIN of another hour (时辰) of the same day."""
    DAY_EDGE = "日"
    """Within MARGIN of 23:00, when the day and the hour change."""
    MIDNIGHT = "零点"
    """From 23:00 to 00:00: the day before, if it changes at 00:00 (夜子时)."""
    MIDNIGHT_EDGE = "零点后"
    """Within MARGIN after 00:00: the day before by that school, if the clock is fast."""
    SUMMER_TIME = "夏令时"
    """In China's summer time: standard time is an hour earlier."""
    SOLAR_TIME = "真太阳时"
    """The plate is of true solar time, and the clock's has another hour."""


class Alternative(NamedTuple):
    """Other pillars of a cast, and the wall clock's time that has them."""

    ambiguity: Ambiguity
    pillars: Pillars
    clock: datetime


def alternatives(moment: datetime, civil: datetime | None = None) -> tuple[Alternative, ...]:
    """Return the other pillars of an aware date-time, in the order of Ambiguity; empty for most times.

    `civil` is the clock's time if `moment` is one of true solar time. Edges are those of the default school. An
    interval includes its beginning and not its end. Raises ValueError outside the solar-term table.
    """
    four = pillars(moment)
    found = [*_edges(moment, four), *_midnight(moment, four)]
    if civil is None:
        found += _summer_time(moment)
    elif (of_clock := pillars(civil))[2:] != four[2:]:
        found.append(Alternative(Ambiguity.SOLAR_TIME, of_clock, civil))
    return tuple(found)


def _edges(moment: datetime, four: Pillars) -> Iterator[Alternative]:
    sides = [(pillars(clock), clock) for clock in (moment - MARGIN, moment + MARGIN)]
    for other, clock in sides:
        if other.month != four.month:
            yield Alternative(Ambiguity.MONTH_EDGE, four._replace(year=other.year, month=other.month), clock)
    for other, clock in sides:
        if other.hour != four.hour:
            edge = Ambiguity.HOUR_EDGE if other.day == four.day else Ambiguity.DAY_EDGE
            yield Alternative(edge, four._replace(day=other.day, hour=other.hour), clock)


def _midnight(moment: datetime, four: Pillars) -> Iterator[Alternative]:
    for ambiguity, clock in ((Ambiguity.MIDNIGHT, moment), (Ambiguity.MIDNIGHT_EDGE, moment - MARGIN)):
        other = pillars(clock, DayChange.MIDNIGHT)
        if other.hour == four.hour and other.day != four.day:
            yield Alternative(ambiguity, four._replace(day=other.day), clock)
            return


def _summer_time(moment: datetime) -> Iterator[Alternative]:
    """Return the other reading of a time at +09:00 or +08:00, where the clock's may have been taken for standard
    time."""
    offset = moment.utcoffset()
    if moment.year not in SUMMER_TIME_YEARS or offset not in (timedelta(hours=8), timedelta(hours=9)):
        return
    if moment.replace(tzinfo=ZoneInfo("Asia/Shanghai"), fold=0).dst():
        standard = moment.replace(tzinfo=_CHINA_IN_SUMMER).astimezone(_CHINA)
        yield Alternative(Ambiguity.SUMMER_TIME, pillars(standard), standard)
