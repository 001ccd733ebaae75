"""The time a question speaks of (明天, 今年下半年, "within three months"), and the unit in which to time it."""

import re
from collections.abc import Callable
from typing import Final

from liuyao.reading.question.asks import Horizon, Part, Scale, Unit
from liuyao.reading.question.text import Expression, Text, listed, pattern

_NUMBERS: Final = {
    **dict(zip("零一二三四五六七八九十", range(11), strict=True)),
    **dict(zip(listed("zero one two three four five six seven eight nine ten eleven twelve"), range(13), strict=True)),
    "两": 2, "半": 1, "十一": 11, "十二": 12, "几": 3, "数": 3, "冬": 11, "腊": 12, "正": 1,
    "a": 1, "an": 1, "a few": 3, "few": 3, "several": 3, "couple of": 2, "a couple of": 2,
}  # fmt: skip
_MONTHS: Final = listed("january february march april may june july august september october november december")
_DAYS: Final = listed("monday tuesday wednesday thursday friday saturday sunday")
_WEEKDAYS: Final = "一二三四五六日"
_N: Final = "(?P<n>[0-9]{1,3}|十一|十二|[一二两三四五六七八九十几数半])"
_N_EN: Final = (
    r"(?P<n>\d{1,3}|a couple of|couple of|a few|few|several|an?|one|two|three|four|five|six|seven|eight|nine|"
    r"ten|eleven|twelve)"
)


def _number(text: str) -> int:
    return int(text) if text.isdigit() else _NUMBERS.get(text, 1)


def _fixed(unit: Unit, offset: int | None = 0, part: Part | None = None) -> Callable[[re.Match[str]], Horizon]:
    return lambda match: Horizon(unit, offset, part=part, words=match[0])


def _span(unit: Unit, offset: int | None = 0) -> Callable[[re.Match[str]], Horizon]:
    return lambda match: Horizon(unit, offset, _number(match["n"]), words=match[0])


def _later(unit: Unit) -> Callable[[re.Match[str]], Horizon]:
    return lambda match: Horizon(unit, _number(match["n"]), words=match[0])


def _named(unit: Unit, offset: int | None = None) -> Callable[[re.Match[str]], Horizon]:
    return lambda match: Horizon(unit, offset, named=_name(match["name"]), words=match[0])


def _name(text: str) -> int:
    if text in _MONTHS:
        return _MONTHS.index(text) + 1
    if text in _DAYS:
        return _DAYS.index(text) + 1
    if text in ("天", "末"):
        return 7
    return int(text) if text.isdigit() else _NUMBERS.get(text, 7 if text == "日" else 1)


_CHINESE: Final[tuple[tuple[str, Callable[[re.Match[str]], Horizon]], ...]] = (
    ("(?:今年|本年)?(?:的)?下半年", _fixed(Unit.YEAR, 0, Part.SECOND_HALF)),
    ("明年的?下半年", _fixed(Unit.YEAR, 1, Part.SECOND_HALF)),
    ("明年的?上半年", _fixed(Unit.YEAR, 1, Part.FIRST_HALF)),
    ("(?:今年|本年)?(?:的)?上半年", _fixed(Unit.YEAR, 0, Part.FIRST_HALF)),
    ("明年(?:年底|底)", _fixed(Unit.YEAR, 1, Part.END)),
    ("明年(?:年初|初)", _fixed(Unit.YEAR, 1, Part.BEGINNING)),
    ("年底|年末|岁末|年前|过年|春节|除夕|年尾", _fixed(Unit.YEAR, 0, Part.END)),
    ("年初|开年|年头", _fixed(Unit.YEAR, 0, Part.BEGINNING)),
    ("(?:这|本)?个?月(?:底|末)", _fixed(Unit.MONTH, 0, Part.END)),
    ("下个?月(?:底|末)", _fixed(Unit.MONTH, 1, Part.END)),
    ("下个?月初", _fixed(Unit.MONTH, 1, Part.BEGINNING)),
    ("大后天", _fixed(Unit.DAY, 3)),
    ("后天", _fixed(Unit.DAY, 2)),
    ("明天|明日|明早|明晚|明儿|翌日|次日|明个儿", _fixed(Unit.DAY, 1)),
    ("今天|今日|今晚|今早|今夜|今儿|当天|本日|今晨|今个儿", _fixed(Unit.DAY, 0)),
    ("下下(?:个)?(?:周|星期|礼拜)(?P<name>[一二三四五六日天])?", lambda match: _week(match, 2)),
    ("下个?(?:周|星期|礼拜)(?P<name>[一二三四五六日天])", lambda match: _week(match, 1)),
    ("下个?周末", _fixed(Unit.WEEK, 1, Part.WEEKEND)),
    ("下个?(?:周|星期|礼拜)", _fixed(Unit.WEEK, 1)),
    ("(?:这|本)?个?周末|礼拜天以前", _fixed(Unit.WEEK, 0, Part.WEEKEND)),
    ("(?:这|本)?个?(?:周|星期|礼拜)(?P<name>[一二三四五六日天])", lambda match: _week(match, 0)),
    ("(?:这|本)个?(?:周|星期|礼拜)", _fixed(Unit.WEEK, 0)),
    ("下下个?月", _fixed(Unit.MONTH, 2)),
    ("下个?月", _fixed(Unit.MONTH, 1)),
    ("(?:这个|本|当|这)月", _fixed(Unit.MONTH, 0)),
    ("(?:这个|本)季度?", _fixed(Unit.QUARTER, 0)),
    ("下个?季度?", _fixed(Unit.QUARTER, 1)),
    ("后年", _fixed(Unit.YEAR, 2)),
    ("明年|来年|次年", _fixed(Unit.YEAR, 1)),
    (f"{_N}个?(?:小时|钟头|时辰)(?:之?内|以内|后)?", _span(Unit.HOUR)),
    (f"{_N}天(?:之?后|以后)", _later(Unit.DAY)),
    (f"{_N}个?(?:周|星期|礼拜)(?:之?后|以后)", _later(Unit.WEEK)),
    (
        f"(?:半年|{_N}个月)(?:之?后|以后)",
        lambda match: Horizon(Unit.MONTH, _number(match["n"]) if match["n"] else 6, words=match[0]),
    ),
    (f"{_N}年(?:之?后|以后)", _later(Unit.YEAR)),
    (f"(?:未来|接下来|近|这|最近)?{_N}天(?:之?内|以内|里)?(?!大)", _span(Unit.DAY)),
    (f"(?:未来|接下来|近|这|最近)?{_N}个?(?:周|星期|礼拜)(?:之?内|以内|里)", _span(Unit.WEEK)),
    ("(?:未来|接下来|近|这)?半年(?:之?内|以内|里)?", lambda match: Horizon(Unit.MONTH, 0, 6, words=match[0])),
    (f"(?:未来|接下来|近|这|最近)?{_N}个月(?:之?内|以内|里)?", _span(Unit.MONTH)),
    (
        (
            "(?:未来|接下来|近|这|最近)(?P<n>[0-9]{1,2}|[一二两三四五六七八九十几])年|(?P<m>[0-9]{1,2}|"
            "[一二两三四五六七八九十])年(?:之?内|以内)"
        ),
        lambda match: Horizon(Unit.YEAR, 0, _number(match["n"] or match["m"]), words=match[0]),
    ),
    (
        ("(?:农历|阴历)?(?P<name>1[0-2]|[1-9]|十一|十二|[一二三四五六七八九十正冬腊])月(?!亮|薪|底|子)"),
        _named(Unit.MONTH),
    ),
    ("(?P<name>20[2-9][0-9])年?", _named(Unit.YEAR)),
    ("(?:周|星期|礼拜)(?P<name>[一二三四五六日天])", lambda match: _week(match, 0)),
    ("今年|本年|年内|流年", _fixed(Unit.YEAR, 0)),
)

_ENGLISH: Final[tuple[tuple[str, Callable[[re.Match[str]], Horizon]], ...]] = (
    (
        (r"\b(?:the )?(?:second|latter|2nd) half of (?:the|this) year\b|\blater (?:this|in the) year\b"),
        _fixed(Unit.YEAR, 0, Part.SECOND_HALF),
    ),
    (r"\b(?:the )?(?:second|latter) half of next year\b", _fixed(Unit.YEAR, 1, Part.SECOND_HALF)),
    (r"\b(?:the )?first half of next year\b", _fixed(Unit.YEAR, 1, Part.FIRST_HALF)),
    (r"\b(?:the )?first half of (?:the|this) year\b", _fixed(Unit.YEAR, 0, Part.FIRST_HALF)),
    (r"\bsecond half\b", _fixed(Unit.YEAR, 0, Part.SECOND_HALF)),
    (
        (
            r"\b(?:end of (?:the|this) year|year'?s end|year-end|christmas|new year's eve|before new year|"
            r"by new year)\b"
        ),
        _fixed(Unit.YEAR, 0, Part.END),
    ),
    (r"\b(?:beginning|start) of next year\b|\bearly next year\b", _fixed(Unit.YEAR, 1, Part.BEGINNING)),
    (r"\bend of (?:the|this) month\b", _fixed(Unit.MONTH, 0, Part.END)),
    (r"\bend of next month\b", _fixed(Unit.MONTH, 1, Part.END)),
    (r"\bend of (?:the|this) week\b", _fixed(Unit.WEEK, 0, Part.END)),
    (r"\b(?:the )?day after tomorrow\b", _fixed(Unit.DAY, 2)),
    (r"\btomorrow\b", _fixed(Unit.DAY, 1)),
    (r"\b(?:today|tonight|this (?:morning|afternoon|evening))\b", _fixed(Unit.DAY, 0)),
    (r"\bnext weekend\b", _fixed(Unit.WEEK, 1, Part.WEEKEND)),
    (r"\b(?:this|the|at the|on the) weekend\b", _fixed(Unit.WEEK, 0, Part.WEEKEND)),
    (rf"\bnext (?P<name>{'|'.join(_DAYS)})\b", _named(Unit.DAY, 1)),
    (rf"\b(?:this |by |on |until |before )?(?P<name>{'|'.join(_DAYS)})\b", _named(Unit.DAY)),
    (r"\bnext week\b", _fixed(Unit.WEEK, 1)),
    (r"\bthis week\b", _fixed(Unit.WEEK, 0)),
    (r"\bnext month\b", _fixed(Unit.MONTH, 1)),
    (r"\bthis month\b", _fixed(Unit.MONTH, 0)),
    (r"\bnext quarter\b", _fixed(Unit.QUARTER, 1)),
    (r"\bthis quarter\b", _fixed(Unit.QUARTER, 0)),
    (r"\b(?:the )?year after next\b", _fixed(Unit.YEAR, 2)),
    (r"\bnext year\b|\b(?:the )?coming year\b", _fixed(Unit.YEAR, 1)),
    (rf"\b(?:within|in|over|for|during)?(?: the)?(?: next)? ?{_N_EN} hours?\b", _span(Unit.HOUR)),
    (rf"\b(?:within|in|over|for|during)?(?: the)?(?: next)? ?{_N_EN} days?\b", _span(Unit.DAY)),
    (rf"\b(?:within|in|over|for|during)?(?: the)?(?: next)? ?{_N_EN} weeks?\b", _span(Unit.WEEK)),
    (
        (r"\b(?:within|in)?(?: the)?(?: next)? ?(?:half a year|six months)\b"),
        lambda match: Horizon(Unit.MONTH, 0, 6, words=match[0].strip()),
    ),
    (rf"\b(?:within|in|over|for|during)?(?: the)?(?: next)? ?{_N_EN} months?\b", _span(Unit.MONTH)),
    (rf"\b(?:within|in|over|during)(?: the)?(?: next)? {_N_EN} years?\b", _span(Unit.YEAR)),
    (rf"\b(?:in|by|before|during|until|this|next|of) (?P<name>{'|'.join(_MONTHS)})\b", _named(Unit.MONTH)),
    (r"\b(?P<name>20[2-9]\d)\b", _named(Unit.YEAR)),
    (r"\bthis year\b|\bthe year\b", _fixed(Unit.YEAR, 0)),
)


def _week(match: re.Match[str], offset: int) -> Horizon:
    if not match["name"]:
        return Horizon(Unit.WEEK, offset, words=match[0])
    named = _WEEKDAYS.index("日" if match["name"] == "天" else match["name"]) + 1
    return Horizon(Unit.DAY, offset, named=named, words=match[0])


_SCALES: Final = (
    (
        Scale.HOUR,
        ("几点|几个?(?:小时|钟头)|什么时辰|哪个时辰|(?:今晚|今天).{0,6}几点|马上|what (?:time|hour)|how many hours"),
    ),
    (
        Scale.DAY,
        (
            "哪一?天|几号|几天|多少天|何日|哪一?日|哪个日子|星期几|周几|what day|which day|how many days|what date|"
            "which date"
        ),
    ),
    (
        Scale.MONTH,
        ("哪个?月|几月|几个月|多少个?月|何月|几个?(?:星期|礼拜)|what month|which month|how many (?:months|weeks)"),
    ),
    (
        Scale.YEAR,
        (
            "哪一?年|几年|何年|几岁|多少年|一生|终身|这辈子|一辈子|晚年|what year|which year|how many years|what age|"
            "in my life|lifetime"
        ),
    ),
)
_OF_UNIT: Final = {
    Unit.HOUR: Scale.HOUR,
    Unit.DAY: Scale.DAY,
    Unit.WEEK: Scale.DAY,
    Unit.MONTH: Scale.DAY,
    Unit.QUARTER: Scale.MONTH,
    Unit.YEAR: Scale.MONTH,
}
"""What falls in a week or month is told in days, what falls in a year in months."""


_TIMES_ZH: Final = Expression("[年月天日周季夕晚早晨夜]|星期|礼拜|小时|钟头|时辰|春节")
_TIMES_EN: Final = Expression(
    r"day|week|month|year|quarter|hour|tomorrow|tonight|morning|afternoon|evening|christmas|half|"
    r"january|february|march|april|may|june|july|august|september|october|november|december|20[2-9]\d"
)


def horizon(text: Text) -> Horizon | None:
    """The time named, the most telling if there are several; its words are the user's."""
    if not (_TIMES_ZH if text.chinese else _TIMES_EN).search(text.folded):
        return None
    for expression, made in _CHINESE if text.chinese else _ENGLISH:
        match = pattern((expression,)).search(text.folded)
        if match and not _is_past(text, match):
            found = made(match)
            return Horizon(
                found.unit, found.offset, found.span, found.part, found.named, text.words(*match.span()).strip()
            )
    return None


def _is_past(text: Text, match: re.Match[str]) -> bool:
    # 分手三个月了, "two months ago": how long it has been.
    counted = match.groupdict().get("n") is not None
    return counted and text.folded.startswith((" ago", "了", "前", "没", "以来"), match.end())


def scale(text: Text, found: Horizon | None) -> Scale | None:
    """Return the unit for the timing: asked for by name, or fitting the time named."""
    asked = next((scale for scale, words in _SCALES if pattern((words,)).search(text.folded)), None)
    if asked is not None or found is None:
        return asked
    if found.unit is Unit.MONTH and found.span > 1:
        return Scale.MONTH
    return Scale.YEAR if found.unit is Unit.YEAR and found.span > 1 else _OF_UNIT[found.unit]
