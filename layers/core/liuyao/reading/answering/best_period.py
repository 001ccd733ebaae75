"""Which part of a year, or which week, is best for what is asked about, by how its element stands to the 用神."""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from liuyao.calendar import branch_of_day, months_from
from liuyao.divination import Element
from liuyao.elements import BRANCH_ELEMENT, BRANCHES, generates, overcomes
from liuyao.reading.dates import When
from liuyao.reading.narrative import Narrator
from liuyao.reading.question.asks import Scale
from liuyao.reading.question.periods import Compared, Period, compared
from liuyao.reading.question.text import Text

_SEASONS: Final = ("寅卯辰", "巳午未", "申酉戌", "亥子丑")
_LEAST_REST: Final = timedelta(days=30)
"""What must be left of a period that has begun."""
_MONTHS: Final = 16
"""Months of the solar calendar in which every part of a year begins anew."""
_MOST_WEEKS: Final = 6


@dataclass(frozen=True, slots=True)
class _Span:
    """A period by its place in the year, with its first and last day."""

    place: int
    first: date
    last: date


def best_period(narrator: Narrator, asked: Text) -> str | None:
    """The best of the periods that `asked` sets against one another, as a phrase; None if it sets none."""
    wanted = compared(asked)
    spans = _spans(narrator, wanted) if wanted else []
    if not wanted or not spans:
        return None
    own = narrator.judgement.focus.at.element
    best = max(spans, key=lambda span: _worth(span, own, wanted.unit))  # the earliest of equals
    reason = _reason(_worth(best, own, wanted.unit))
    key = "best period" if narrator.judgement.favourable else "best period ill"
    voice = narrator.voice
    return voice.phrase(key, period=_named(narrator, best, wanted.unit), reason=voice.phrase(f"best as {reason}"))


def rank(element: Element, own: Element) -> int:
    """How good a time of an element is for the 用神: its own, one that feeds it, neither, one that overcomes it."""
    return 3 if element == own else 2 if generates(element, own) else 0 if overcomes(element, own) else 1


def _worth(span: _Span, own: Element, unit: Period) -> float:
    """The mean rank of the days or months of a period."""
    if unit is Period.WEEK:
        days = [span.first + timedelta(days=at) for at in range((span.last - span.first).days + 1)]
        return sum(rank(BRANCH_ELEMENT[branch_of_day(day)], own) for day in days) / len(days)
    ranked = [
        (rank(BRANCH_ELEMENT[month.branch], own), (min(month.last, span.last) - max(month.first, span.first)).days + 1)
        for month in months_from(span.first, 8)
        if month.first <= span.last and month.last >= span.first
    ]
    return sum(worth * days for worth, days in ranked) / sum(days for _, days in ranked)


def _reason(worth: float) -> str:
    return "strong" if worth >= 2 else "fed" if worth >= 1.4 else "even"


def _spans(narrator: Narrator, wanted: Compared) -> list[_Span]:
    """The next of each period, in the order of time; those in the time asked about, if it leaves a choice."""
    today, bounds = narrator.calendar.today, narrator.calendar.bounds
    match wanted.unit:
        case Period.WEEK:
            return _weeks(today, bounds)
        case Period.SEASON:
            found = _seasons(today)
        case Period.HALF:
            found = _civil(today, 6)
        case _:
            found = _civil(today, 3)
    found = [span for span in found if not wanted.named or span.place in wanted.named]
    within = [span for span in found if bounds and bounds[0] <= span.last and span.first <= bounds[1]]
    if len({span.place for span in within}) > 1:
        found = within
    first = {span.place: span for span in reversed(found) if span.last - max(span.first, today) >= _LEAST_REST}
    return sorted(first.values(), key=lambda span: span.first)


def _seasons(today: date) -> list[_Span]:
    months = months_from(today, _MONTHS)
    spans: list[_Span] = []
    for month in months:
        place = next(at for at, branches in enumerate(_SEASONS) if month.branch in branches)
        if spans and spans[-1].place == place:
            spans[-1] = _Span(place, spans[-1].first, month.last)
        else:
            spans.append(_Span(place, max(month.first, today), month.last))
    return spans[:-1] if spans and months[-1].branch != _SEASONS[spans[-1].place][-1] else spans


def _civil(today: date, months: int) -> list[_Span]:
    """The halves or quarters of this and the next two years that have not ended."""
    spans = []
    for year in range(today.year, today.year + 3):
        for place in range(12 // months):
            first = date(year, place * months + 1, 1)
            after = date(year + (place + 1) * months // 12, (place + 1) * months % 12 + 1, 1)
            spans.append(_Span(place, max(first, today), after - timedelta(days=1)))
    return [span for span in spans if span.last >= today]


def _weeks(today: date, bounds: tuple[date, date] | None) -> list[_Span]:
    first, last = bounds or (today, today + timedelta(weeks=_MOST_WEEKS - 1))
    monday = first - timedelta(days=first.weekday())
    weeks = [monday + timedelta(weeks=at) for at in range(_MOST_WEEKS)]
    return [_Span(0, max(week, today), week + timedelta(days=6)) for week in weeks if week <= last][:_MOST_WEEKS]


def _named(narrator: Narrator, span: _Span, unit: Period) -> str:
    """A period by its name, with its days where the name does not tell them."""
    voice, calendar = narrator.voice, narrator.calendar
    days = voice.civil(When(BRANCHES[0], Scale.MONTH, span.first, span.last), calendar)
    if unit is Period.WEEK:
        return voice.phrase("week of", days=days)
    return voice.phrase(f"{unit} {span.place + 1}", days=days, year=str(span.last.year))
