"""The parts of a year that a question sets against one another: its halves, its seasons, its quarters, or weeks."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from liuyao.reading.question.text import Expression, Text


class Period(StrEnum):
    """A part of the year, or a week."""

    HALF = "half"
    SEASON = "season"
    QUARTER = "quarter"
    WEEK = "week"


@dataclass(frozen=True, slots=True)
class Compared:
    """The periods to choose from, by their place in the year; none named means all."""

    unit: Period
    named: tuple[int, ...] = ()


_ASKED_ZH: Final = (
    (Period.HALF, Expression(r"哪(?:一个?|个)?半年")),
    (Period.QUARTER, Expression(r"哪(?:一个?|个|几个)?季度|第几季")),
    (Period.SEASON, Expression(r"哪(?:一个?|个|几个)?季|什么季节|啥季节")),
    (
        Period.WEEK,
        Expression(r"哪(?:一个?|个|几个?)?(?:周(?!末)|星期|礼拜)(?![一二三四五六日天])"),
    ),
)
_ASKED_EN: Final = tuple(
    (unit, Expression(rf"\b(?:which|what) (?:of the )?(?:next |coming )?(?:\w+ )?(?:{words})\b"))
    for unit, words in (
        (Period.HALF, "half|halves"),
        (Period.QUARTER, "quarters?"),
        (Period.SEASON, "seasons?"),
        (Period.WEEK, "weeks?"),
    )
)
_NAMED_ZH: Final = (
    (Period.HALF, tuple(map(Expression, ("上半年", "下半年")))),
    (Period.SEASON, tuple(map(Expression, ("春[天季夏]?", "夏[天季]?", "秋[天季冬]?", "冬[天季]?")))),
)
_NAMED_EN: Final = (
    (Period.HALF, (Expression(r"\bfirst half\b"), Expression(r"\b(?:second|latter|other) half\b"))),
    (
        Period.SEASON,
        tuple(Expression(rf"\b(?:{name})\b") for name in ("spring|springtime", "summer", "autumn|fall", "winter")),
    ),
)
_CHOOSES: Final = Expression(r"还是|或|哪|[年季天]定|比较|\bor\b|\bwhich\b|\bbetter\b|\bbest\b")


def compared(text: Text) -> Compared | None:
    """The periods that a question asks to choose from; None if it asks for none."""
    folded, chinese = text.folded, text.chinese
    named = _named(folded, chinese=chinese) if _CHOOSES.search(folded) else None
    for unit, asked in _ASKED_ZH if chinese else _ASKED_EN:
        if asked.search(folded):
            return named if named and named.unit is unit else Compared(unit)
    return named


def _named(folded: str, *, chinese: bool) -> Compared | None:
    """The periods of one unit that are named, at least two."""
    for unit, names in _NAMED_ZH if chinese else _NAMED_EN:
        found = tuple(at for at, name in enumerate(names) if name.search(folded))
        if len(found) > 1:
            return Compared(unit, found)
    return None
