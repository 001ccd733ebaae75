"""Casts by the time alone: the hexagram and one moving line follow from the branches of the four pillars.

Source: 《梅花易数》年月日时起例, with branches (子 = 1 … 亥 = 12, for the month 寅 = 1) for the lunar month and day.
Year, month and day make the upper trigram, with the hour the lower one, in the order 乾 兑 离 …; the whole sum divided
by six leaves the moving line.
"""

from datetime import datetime
from typing import Final

from liuyao.calendar import Pillars, pillars
from liuyao.hexagrams import TRIGRAMS
from liuyao.plain_cast import YaoType

_CODES: Final = tuple(TRIGRAMS)
"""In the order of 先天八卦: 乾 兑 离 震 巽 坎 艮 坤."""

_LINES: Final[dict[tuple[str, bool], YaoType]] = {
    ("1", False): "少阳",
    ("1", True): "老阳",
    ("0", False): "少阴",
    ("0", True): "老阴",
}


def lines_at(moment: datetime) -> tuple[YaoType, ...]:
    """Return the six lines of an aware date-time, from 初爻 to 上爻. One of them moves."""
    return lines_of(pillars(moment))


def lines_of(four: Pillars) -> tuple[YaoType, ...]:
    """Return the six lines of four pillars."""
    year, month, day, hour = (pillar % 12 for pillar in four)  # 子 is 0
    of_day = (year + 1) + ((month - 2) % 12 + 1) + (day + 1)
    whole = of_day + hour + 1
    code = _CODES[(whole - 1) % 8] + _CODES[(of_day - 1) % 8]
    moving = (whole - 1) % 6
    return tuple(_LINES[line, index == moving] for index, line in enumerate(code))
