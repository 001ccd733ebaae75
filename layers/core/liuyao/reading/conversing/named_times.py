"""A time that a follow-up names, beside the time of the cast: better, worse or the same for what is asked.

A month or a day is ranked by how its element stands to the 用神, as in `period`.
"""

import re
from statistics import mean
from typing import Final

from liuyao.calendar import branch_of_day
from liuyao.divination import Element
from liuyao.elements import BRANCH_ELEMENT
from liuyao.reading.answering.replies import period
from liuyao.reading.conversing.comparing import standing
from liuyao.reading.conversing.retold import verdict
from liuyao.reading.narrative import Narrator
from liuyao.reading.question.asks import Horizon
from liuyao.reading.question.mentioned import time_unplaced
from liuyao.reading.question.text import Text

_SPAN: Final = re.compile(
    r"^(?:[一二两兩三四五六七八九十0-9几幾]+(?:个|個)(?:月|年|周|週|天|星期|禮拜|礼拜)|半年)$|"
    r"^(?:\d+|two|three|four|six|few|couple|half) .*(?:days|weeks|months|years|year)$"
)
"""A stretch of time that is counted from now."""
_APART: Final = 0.5
"""How far two times must lie apart in rank for one to be better."""


def in_that_time(narrator: Narrator, first: Narrator, text: Text, horizon: Horizon | None) -> list[str]:
    """How the time that a follow-up names is beside now, with its better and worse months; then that the answer stays.

    `narrator` asks about that time, `first` as the first question did.
    """
    voice = narrator.voice
    if horizon is None:
        words = voice.own_words(time_unplaced(text))
        if words is None:
            words = narrator.named_time or voice.phrase("that time")
            return [voice.sentence(voice.phrase("within", words=words, told=period(narrator)))]
        told = voice.phrase("then unplaced", words=words, told=period(narrator))
        return [voice.sentence(told), *_stays(first)]
    words = narrator.named_time or voice.phrase("that time")
    if _SPAN.search(words):
        words = voice.phrase("next span", words=words)
    how = voice.phrase(f"then {_beside_now(narrator)}", words=words)
    if _is_day(narrator) or not any(narrator.calendar.tendencies(narrator.judgement.focus.at.element)):
        return [voice.sentence(how), *_stays(first)]
    return [voice.sentence(voice.phrase("then months", how=how, told=period(narrator)))]


def _stays(first: Narrator) -> list[str]:
    """That the answer to the first question stays as it is."""
    if first.careful or first.withholds or first.of_health:
        return []
    return [first.voice.sentence(first.voice.phrase("then whole", told=first.voice.lowered(verdict(first))))]


def _is_day(narrator: Narrator) -> bool:
    bounds = narrator.calendar.bounds
    return bounds is not None and bounds[0] == bounds[1]


def _beside_now(narrator: Narrator) -> str:
    """Return `better`, `same` or `worse`: the time asked about beside the day or the month of the cast."""
    own, plate, bounds = narrator.judgement.focus.at.element, narrator.plate, narrator.calendar.bounds
    if bounds is not None and bounds[0] == bounds[1]:
        now, then = standing(BRANCH_ELEMENT[plate.day], own), float(standing(_element_of_day(narrator), own))
    else:
        months = narrator.calendar.months()
        now = standing(BRANCH_ELEMENT[plate.month], own)
        then = mean([standing(BRANCH_ELEMENT[month.branch], own) for month in months]) if months else float(now)
    if abs(then - now) < _APART:
        return "same"
    return "better" if then > now else "worse"


def _element_of_day(narrator: Narrator) -> Element:
    first, _ = narrator.calendar.bounds or (narrator.calendar.today, None)
    return BRANCH_ELEMENT[branch_of_day(first)]
