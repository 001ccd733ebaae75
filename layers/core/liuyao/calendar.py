"""Computes the four pillars (四柱) of an instant from the shipped table of 节 instants.

Year and month pillars follow the Sun and so the instant itself; day and hour pillars follow the wall clock of the
instant's own offset, daylight saving included, with no correction to true solar time. The zone of the machine plays no
part. Source: `divination-rules.md` §1, §2.7, §3 (DIV-19, DIV-20).
"""

import json
from bisect import bisect_right
from datetime import date, datetime, timedelta, timezone
from enum import StrEnum
from functools import lru_cache
from importlib.resources import files
from itertools import chain, pairwise
from typing import Final, NamedTuple

from liuyao.elements import BRANCHES, STEMS

CYCLE: Final = tuple(STEMS[index % 10] + BRANCHES[index % 12] for index in range(60))
"""六十甲子, 甲子 first."""

VOIDS: Final = tuple(BRANCHES[10 - 2 * decade :][:2] for decade in range(6) for _ in range(10))
"""旬空 of each pillar of the cycle: the two branches its decade (旬) does not reach."""

_TERMS: Final = json.loads(files("liuyao").joinpath("solar_terms.json").read_text("utf-8"))
_FIRST_YEAR: Final[int] = _TERMS["first_year"]
_MONTHS: Final[tuple[int, ...]] = tuple(chain.from_iterable(_TERMS["years"]))
"""Unix seconds at which each month begins, twelve to a year, 立春 first."""
_CHINA: Final = timezone(timedelta(hours=8))


class DayChange(StrEnum):
    """The hour at which a day begins (换日). One school holds for a whole plate."""

    ELEVEN_PM = "23:00"
    """子初换日: at 23:00 both day and hour are the next day's. The default."""
    MIDNIGHT = "00:00"
    """夜子时: from 23:00 the hour is the next day's 子, the day still the old one."""


class Pillars(NamedTuple):
    """Year, month, day and hour as places in the cycle of sixty, 甲子 = 0."""

    year: int
    month: int
    day: int
    hour: int


def pillars(moment: datetime, day_change: DayChange = DayChange.ELEVEN_PM) -> Pillars:
    """Return the four pillars of an aware date-time.

    An instant equal to a 节 belongs to the month it opens. Raises ValueError for an instant outside the table,
    which holds the years 1899 to 2101 whole.
    """
    months = bisect_right(_MONTHS, moment.timestamp()) - 1
    if not 0 <= months < len(_MONTHS) - 1:
        raise ValueError("outside the solar-term table")
    # 2000-01-01, ordinal 730120, is 戊午, 54. At 23:00 the hour 子 of the next day begins in either school.
    late = moment.hour == 23
    day = moment.toordinal() + 14
    hour_day = day + late
    return Pillars(
        year=(_FIRST_YEAR + months // 12 - 4) % 60,
        # Months and hours run through the cycle without a gap, which is what 五虎遁 and 五鼠遁 say. The first month of
        # the table, that of 立春 1899, is 丙寅.
        month=(months + 2) % 60,
        day=(hour_day if day_change is DayChange.ELEVEN_PM else day) % 60,
        hour=(hour_day * 12 + (moment.hour + 1) // 2 % 12) % 60,
    )


class Month(NamedTuple):
    """A month between two 节: its branch, and its first and last day at UTC+8."""

    branch: str
    first: date
    last: date


@lru_cache(256)
def months_from(day: date, count: int) -> tuple[Month, ...]:
    """Return the month of a day and those after it, `count` in all; fewer at the end of the table."""
    at = bisect_right(_MONTHS, datetime(day.year, day.month, day.day, 23, 59, tzinfo=_CHINA).timestamp()) - 1
    if at < 0:
        return ()
    starts = [datetime.fromtimestamp(seconds, _CHINA).date() for seconds in _MONTHS[at : at + count + 1]]
    return tuple(
        Month(BRANCHES[(at + place + 2) % 12], first, after - timedelta(days=1))
        for place, (first, after) in enumerate(pairwise(starts))
    )


def branch_of_day(day: date) -> str:
    """Return the branch of a day."""
    return BRANCHES[(day.toordinal() + 14) % 12]
