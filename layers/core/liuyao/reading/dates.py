"""The civil dates of 应期: a branch as the next day, month, year or hour of it, after the cast.

Days follow the cycle of days and the user's own calendar, months the solar terms (at UTC+8), years 立春. The scale and
the time asked about are the question's (`Inquiry.scale`, `Inquiry.horizon`).
"""

import re
from calendar import monthrange
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from liuyao.calendar import Month, branch_of_day, months_from
from liuyao.divination import Divination, Element
from liuyao.elements import BRANCH_ELEMENT, BRANCHES, generates, overcomes
from liuyao.reading.question.asks import Asks, Horizon, Part, Scale, Unit
from liuyao.reading.question.inquiry import Inquiry

_BY_DAYS: Final = frozenset(("lost", "return", "rain", "fair", "journey", "date", "contest", "pets", "dream"))
"""Matters counted in days when the question does not say (近事以日计); the others in months."""
_NEAR: Final = re.compile(
    "出院|退[烧燒]|[快包][递遞裹]|到[货貨账帳]|回[复覆信]|拆[线線]|"
    r"\b(?:discharged|(?:leave|out of|come home from|home from) (?:the )?hospital|"
    r"fever|parcel|package|delivery|hear back|reply)\b"
)
"""Events counted in days in every matter."""
_SLOW: Final = re.compile(
    "结婚|成家|娶|嫁|怀孕|怀上|生孩子|生娃|抱孙|当上?(?:外?婆|外?公|奶奶|爷爷|爸|妈|父亲|母亲)|买[房楼]|毕业|退休|移民|升职|还清|"
    "結婚|懷孕|懷上|生孩子|抱孫|當上?(?:外?婆|外?公|奶奶|爺爺|爸|媽|父親|母親)|買[房樓]|畢業|升職|還清|"
    r"\b(?:marry|married|wedding|engaged|grand(?:ma|pa|mother|father|parent|child|son|daughter)s?|pregnant|baby|"
    r"(?:be|become) a (?:mother|father|mum|dad|parent)|retire|graduate|emigrate|promoted|pay off|paid off|"
    r"buy (?:a|our|my) (?:house|home|flat))\b"
)
"""Events that take months, whatever the matter."""
_LEAST_REST: Final = timedelta(days=7)
"""What must be left of a month, or as many weeks of a year, for it to be named."""
_MOST_YEARS: Final = 60


@dataclass(frozen=True, slots=True)
class When:
    """A time that a branch names: first and last day, and for an hour the clock's hours."""

    branch: str
    scale: Scale
    first: date
    last: date
    hours: tuple[int, int] | None = None
    within: bool = True
    """Whether it lies in the time asked about."""


class Calendar:
    """The times of branches after a cast, for what is asked."""

    def __init__(self, divination: Divination, inquiry: Inquiry) -> None:
        year, month, day, self._hour = (int(item) for item in re.findall(r"\d+", divination.divination_time)[:4])
        self.today = date(year, month, day)
        self.bounds = within(inquiry.horizon, self.today) if inquiry.horizon else None
        self.scale = self._scale(inquiry)

    def _scale(self, inquiry: Inquiry) -> Scale:
        if self.bounds and self.bounds[0] == self.bounds[1]:
            return Scale.HOUR
        if inquiry.scale:
            return inquiry.scale
        words = f"{inquiry.predicate or ''} {inquiry.restated or ''}".lower()
        if _SLOW.search(words) and inquiry.asks is Asks.WHEN:
            return Scale.MONTH
        everyday = inquiry.everyday and inquiry.asks is not Asks.HOW_IS
        near = (
            everyday
            or inquiry.matter.key in _BY_DAYS
            or inquiry.likely in _BY_DAYS
            or inquiry.recent is True
            or _NEAR.search(words) is not None
        )
        return Scale.DAY if near else Scale.MONTH

    def when(self, branch: str) -> When | None:
        """The next time of a branch, in the time asked about if there is one; None if the table ends before it."""
        found = self._next(branch, self.bounds[0] if self.bounds else self.today)
        if self.bounds is None or (found and found.first <= self.bounds[1]):
            return found
        return found and When(found.branch, found.scale, found.first, found.last, found.hours, within=False)

    def months(self) -> list[Month]:
        """The months of the time asked about, at most a year of them."""
        first, last = self.bounds or (self.today, self.today + timedelta(days=180))
        months = [item for item in months_from(max(first, self.today), 13) if item.first <= last][:12]
        clipped = (Month(month.branch, max(month.first, first), min(month.last, last)) for month in months)
        return [item for item in clipped if item.last - item.first >= _LEAST_REST]

    def tendencies(self, element: Element) -> tuple[list[Month], list[Month]]:
        """Those of the months that are good for an element and those that are ill; adjoining ones are one."""
        good: list[Month] = []
        ill: list[Month] = []
        for month in self.months():
            own = BRANCH_ELEMENT[month.branch]
            kind = good if own == element or generates(own, element) else ill if overcomes(own, element) else None
            if kind is None:
                continue
            if kind and month.first - kind[-1].last <= timedelta(days=1):
                kind[-1] = kind[-1]._replace(last=month.last)
            else:
                kind.append(month)
        return good, ill

    def _next(self, branch: str, start: date) -> When | None:
        match self.scale:
            case Scale.HOUR:
                return self._hours(branch, max(start, self.today))
            case Scale.DAY:
                first = max(start, self.today + timedelta(days=1))
                day = first + timedelta(days=(BRANCHES.index(branch) - BRANCHES.index(branch_of_day(first))) % 12)
                return When(branch, Scale.DAY, day, day)
            case Scale.MONTH:
                return self._month(branch, start)
        return self._year(branch, start)

    def _hours(self, branch: str, day: date) -> When:
        begins = (BRANCHES.index(branch) * 2 - 1) % 24
        if branch == "子":
            begins = 23
        if day == self.today and begins <= self._hour:
            day += timedelta(days=1)
        return When(branch, Scale.HOUR, day, day, (begins, (begins + 2) % 24))

    def _month(self, branch: str, start: date) -> When | None:
        after = max(start, self.today + timedelta(days=1))
        for month in months_from(after, 14):
            first = max(month.first, after)
            if month.branch == branch and month.last - first >= _LEAST_REST:
                return When(branch, Scale.MONTH, first, month.last)
        return None

    def _year(self, branch: str, start: date) -> When:
        year = max(start, self.today).year
        left = timedelta(days=0) if start > self.today else date(year, 12, 31) - self.today
        if start <= self.today and left < _LEAST_REST * 8:
            year += 1
        year += (BRANCHES.index(branch) - (year - 4)) % 12
        return When(branch, Scale.YEAR, date(year, 1, 1), date(year, 12, 31))


def within(horizon: Horizon, today: date) -> tuple[date, date] | None:
    """First and last day of the time a question names; None if that is not certain or too far."""
    offset = horizon.offset or 0
    if abs(offset) > _MOST_YEARS * 12 or horizon.span > _MOST_YEARS * 12:
        return None
    match horizon.unit:
        case Unit.HOUR:
            found = today, today
        case Unit.DAY:
            found = _days(horizon, offset, today)
        case Unit.WEEK:
            found = _weeks(horizon, offset, today)
        case Unit.MONTH:
            found = _months(horizon, offset, today)
        case Unit.QUARTER:
            first = _shifted(date(today.year, (today.month - 1) // 3 * 3 + 1, 1), 3 * offset)
            found = first, _shifted(first, 3 * horizon.span) - timedelta(days=1)
        case _:
            found = _years(horizon, offset, today)
    return None if found[1] < today or found[1].year >= 2100 else (max(found[0], today), found[1])


def _days(horizon: Horizon, offset: int, today: date) -> tuple[date, date]:
    if horizon.named is not None:
        monday = today - timedelta(days=today.weekday()) + timedelta(weeks=offset)
        day = monday + timedelta(days=horizon.named - 1)
        day += timedelta(weeks=1) if day < today else timedelta()
        return day, day
    first = today + timedelta(days=offset)
    return first, first + timedelta(days=horizon.span - (horizon.span == 1))


def _weeks(horizon: Horizon, offset: int, today: date) -> tuple[date, date]:
    if horizon.span > 1:
        return today, today + timedelta(weeks=horizon.span)
    monday = today - timedelta(days=today.weekday()) + timedelta(weeks=offset)
    if horizon.part is Part.WEEKEND:
        return monday + timedelta(days=5), monday + timedelta(days=6)
    return monday, monday + timedelta(days=6)


def _months(horizon: Horizon, offset: int, today: date) -> tuple[date, date]:
    if horizon.named is not None:
        first = date(today.year + (horizon.named < today.month), horizon.named, 1)
    elif horizon.span > 1 and not offset:
        return today, _shifted(today, horizon.span)
    else:
        first = _shifted(today.replace(day=1), offset)
    last = _shifted(first, horizon.span if horizon.named is not None else 1) - timedelta(days=1)
    if horizon.part is Part.END:
        first = last - timedelta(days=10)
    elif horizon.part is Part.BEGINNING:
        last = first + timedelta(days=9)
    return first, last


def _years(horizon: Horizon, offset: int, today: date) -> tuple[date, date]:
    year = horizon.named or today.year + offset
    first, last = {
        Part.FIRST_HALF: ((1, 1), (6, 30)),
        Part.SECOND_HALF: ((7, 1), (12, 31)),
        Part.BEGINNING: ((1, 1), (3, 31)),
        Part.END: ((11, 1), (12, 31)),
    }.get(horizon.part or Part.WEEKEND, ((1, 1), (12, 31)))
    return date(year, *first), date(year + horizon.span - 1, *last)


def _shifted(day: date, months: int) -> date:
    count = day.year * 12 + day.month - 1 + months
    year, month = divmod(count, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))
