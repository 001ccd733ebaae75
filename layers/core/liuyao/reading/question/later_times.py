"""The time that a follow-up names, which may be a bare month or a season."""

from typing import Final

from liuyao.reading.question.asks import Horizon, Unit
from liuyao.reading.question.text import Expression, Text, listed
from liuyao.reading.question.times import horizon

_SEASONS: Final = (
    ("春", 3),
    ("夏", 6),
    ("秋", 9),
    ("冬", 12),
    ("spring", 3),
    ("summer", 6),
    ("autumn", 9),
    ("winter", 12),
)
_SEASON: Final = Expression(
    r"(?:明年|来年|今年)?的?[春夏秋冬](?:天|季)|开春|入秋|入冬|"
    r"\b(?:(?:next|this|the|coming) )*(?:spring|summer|autumn|fall|winter)\b(?! job)"
)
_ASKED: Final = Expression(
    r"(?:哪|几|多少)(?:一?[个几]?)?(?:天|日|号|月|年|周|个?星期|个?礼拜)|"
    r"\b(?:which|what) (?:day|date|week|month|year)\b"
)
"""Asks for a time, and names none: 哪一天 is no stretch of a day."""
_MONTHS: Final = listed("january february march april may june july august september october november december")
_MONTH_EN: Final = Expression(
    r"\b(?:january|february|march|april|june|july|august|september|october|november|december)\b|"
    r"\b(?:in|about|and|would|is|than|or|by) may\b(?! i\b| be| not| we\b)|\bmay (?:be )?(?:better|good|or|than)\b"
)
_MONTH_ZH: Final = Expression(
    r"(?<![0-9一二三四五六七八九十个几])(1[0-2]|[1-9]|十一|十二|[一二三四五六七八九十])月(?!亮|薪|底|子)"
)
_NUMBERS: Final = ("一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二")


def later_time(text: Text) -> Horizon | None:
    """Return the time a follow-up names."""
    if match := _SEASON.search(text.folded):
        words = match[0].replace("fall", "autumn")
        first = next((month for name, month in _SEASONS if name in words), None)
        if first is not None:
            return Horizon(Unit.MONTH, None, 3, named=first, words=text.words(*match.span()).strip())
    if (found := horizon(text)) and not _ASKED.search(text.folded):
        return found
    named = months_named(text)
    return Horizon(Unit.MONTH, None, named=named[0][0], words=named[0][1]) if len(named) == 1 else None


def months_named(text: Text) -> list[tuple[int, str]]:
    """Return the months that a text names, with its words for them."""
    found: dict[int, str] = {}
    for match in (_MONTH_ZH if text.chinese else _MONTH_EN).finditer(text.folded):
        if text.chinese:
            number = int(match[1]) if match[1].isdigit() else _NUMBERS.index(match[1]) + 1
            found.setdefault(number, text.words(*match.span()))
            continue
        name = next(name for name in _MONTHS if name in match[0])
        found.setdefault(_MONTHS.index(name) + 1, name.capitalize())
    return list(found.items())
