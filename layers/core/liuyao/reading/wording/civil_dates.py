"""Civil dates in words, in Chinese and English."""

from datetime import date
from typing import Final

from liuyao.reading.dates import When
from liuyao.reading.question.asks import Scale

_WEEKDAYS: Final = "一二三四五六日"
_MONTHS: Final = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_UNITS: Final = {Scale.HOUR: "时", Scale.DAY: "日", Scale.MONTH: "月", Scale.YEAR: "年"}


def term(when: When) -> str:
    """Return the canonical term: 午日, 午月, 午年, 午时."""
    return f"{when.branch}{_UNITS[when.scale]}"


def in_chinese(when: When, today: date) -> str:
    """Return 6月18日（周四） as 6月18日周四, a month as its first and last day, a year, or an hour of a day."""
    first, last = when.first, when.last
    match when.scale:
        case Scale.HOUR:
            begins, ends = when.hours or (0, 0)
            return f"{_day_zh(first, today)}{begins}–{ends}点"
        case Scale.DAY:
            return f"{_day_zh(first, today)}周{_WEEKDAYS[first.weekday()]}"
        case Scale.MONTH:
            return f"{_day_zh(first, today)}至{_day_zh(last, first)}"
    return f"{first.year}年"


def in_english(when: When, today: date) -> str:
    """Return the same with its preposition: on Thursday 18 June, from 6 June to 6 July, in 2027."""
    first, last = when.first, when.last
    match when.scale:
        case Scale.HOUR:
            begins, ends = when.hours or (0, 0)
            return f"on {_day_en(first, today)} from {begins}:00 to {ends}:00"
        case Scale.DAY:
            return f"on {first:%A} {_day_en(first, today)}"
        case Scale.MONTH:
            return "from {} to {}".format(*_ends_en(first, last, today))
    return f"in {first.year}"


def named_in_english(when: When, today: date) -> str:
    """Return the same without a preposition: Thursday 18 June, 6 June – 6 July, 2027, 18 June, 11:00–13:00."""
    first, last = when.first, when.last
    match when.scale:
        case Scale.HOUR:
            begins, ends = when.hours or (0, 0)
            return f"{_day_en(first, today)}, {begins}:00–{ends}:00"
        case Scale.MONTH:
            return " – ".join(_ends_en(first, last, today))
    return in_english(when, today).partition(" ")[2]


def end_in_chinese(when: When, today: date) -> str:
    """Return the last day of a time, or its year: 7月6日, 2027年."""
    return f"{when.last.year}年" if when.scale is Scale.YEAR else _day_zh(when.last, today)


def end_in_english(when: When, today: date) -> str:
    """Return the same: 6 July, 2027."""
    return str(when.last.year) if when.scale is Scale.YEAR else _day_en(when.last, today)


def _day_zh(day: date, near: date) -> str:
    year = "" if day.year == near.year else f"{day.year}年"
    return f"{year}{day.month}月{day.day}日"


def _ends_en(first: date, last: date, today: date) -> tuple[str, str]:
    """Return the first and the last day. A year is told once, at the end; over its end, both are."""
    if first.year == last.year:
        return _day_en(first, last), _day_en(last, today)
    return f"{first.day} {_month_en(first)} {first.year}", f"{last.day} {_month_en(last)} {last.year}"


def _day_en(day: date, near: date) -> str:
    return f"{day.day} {_month_en(day)}" + ("" if day.year == near.year else f" {day.year}")


def _month_en(day: date) -> str:
    return _MONTHS[day.month - 1]
