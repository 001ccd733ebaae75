"""When it comes about, as a follow-up asks: in the unit of the reading, and called a guide."""

import re
from dataclasses import replace
from datetime import timedelta
from typing import Final

from liuyao.reading.answering.comparison import best_month
from liuyao.reading.answering.replies import period, when
from liuyao.reading.conversing.retold import verdict
from liuyao.reading.conversing.turn import Turn
from liuyao.reading.narrative import Narrator
from liuyao.reading.question.aside import excludes
from liuyao.reading.question.asks import Scale
from liuyao.reading.question.follow_up import FollowUp
from liuyao.reading.question.polarity import Polarity, polarity_told

_TIME_ALONE: Final = re.compile(
    "什[么麼]时候|什[么麼]時候|何时|何時|几时|幾時|多久|[会會能呢要]|^when|\\b(?:will|it|that|be)\\b"
)
"""What asks for a time and for nothing else."""
_TO_CHOOSE_FROM: Final = timedelta(days=60)
"""What must be left of a time for one of its months to be chosen."""
_SOUGHT: Final = timedelta(days=365)
"""How far after a time that is ruled out another one is looked for."""
_BETTER: Final = re.compile(r"^好|[转轉]好|好[转轉起]|恢[复復]|[过過]去|平息|\b(?:better|over|end|recover|pass)\b")
"""The end of what the first question fears."""


def when_told(narrator: Narrator, told: FollowUp, turn: Turn, grounds: list[str]) -> list[str]:
    """The time it points to; `narrator` asks as the follow-up does."""
    voice = narrator.voice
    later = _after_that_time(narrator, told, turn)
    dated = later or _dated(narrator, told, turn)
    grounds.append(dated.timing)
    if later is None and (words := dated.named_time_passed_over()):
        return [voice.sentence(voice.phrase("time beyond", words=words, date=dated.main_time() or ""))]
    answer = [voice.sentence(when(dated, turn.words, polarity=_polarity(narrator, told)))]
    return [*answer, voice.sentence(voice.phrase("when rough"))] if dated.main_time() else answer


def which_month(narrator: Narrator, turn: Turn, told: FollowUp, grounds: list[str]) -> list[str]:
    """The month to choose: the one that the reading points to, and the best by the element of the 用神.

    Where less than two months are left of the time of the first question, the next twelve are looked at.
    """
    voice, first = narrator.voice, turn.plain(turn.asked)
    today, bounds = narrator.calendar.today, narrator.calendar.bounds
    words = narrator.named_time
    if told.horizon is None and (bounds is None or bounds[1] - max(bounds[0], today) < _TO_CHOOSE_FROM):
        narrator.calendar.bounds = (today, today + _SOUGHT)
        words = None
    best = best_month(narrator)
    element = narrator.judgement.focus.at.element
    others = period(narrator)
    others = voice.sentence(voice.phrase("within", words=words, told=others) if words else others)
    if best is None:
        return [others]
    grounds.append(voice.sentence(voice.phrase("period ground", element=voice.element(element))))
    if first.is_guarded:
        return [voice.sentence(voice.phrase("month safest", month=best))]
    if not first.judgement.favourable:
        stays = voice.phrase("then whole", told=voice.lowered(verdict(turn.retold)))
        return [voice.sentence(voice.phrase("month least hard", month=best)), others, voice.sentence(stays)]
    own = first.main_time(within=True) if told.horizon is None else None
    if own and own != best:
        return [voice.sentence(voice.phrase("month pointed to", month=own, other=best))]
    return [voice.sentence(voice.phrase("month best", month=best)), others]


def _after_that_time(narrator: Narrator, told: FollowUp, turn: Turn) -> Narrator | None:
    """Who tells the time after the one that is ruled out ("if not this month, when?"); None if none is."""
    ruled_out = narrator.calendar.bounds
    if told.horizon is None or ruled_out is None or not excludes(turn.text):
        return None
    later = turn.plain(replace(turn.asked, horizon=None))
    first = ruled_out[1] + timedelta(days=1)
    later.calendar.bounds = (first, first + _SOUGHT)
    return later


def _dated(narrator: Narrator, told: FollowUp, turn: Turn) -> Narrator:
    """Who tells the time: where a shorter unit is asked for than the reading's, the reading's time stays."""
    plain, units = turn.plain(turn.asked), list(Scale)
    shorter = units.index(narrator.calendar.scale) < units.index(plain.calendar.scale)
    return plain if shorter and not told.turned and told.horizon is None else narrator


def _polarity(narrator: Narrator, told: FollowUp) -> Polarity | None:
    """Of what a follow-up dates: by its own words (when will he be better?), else by the first question."""
    words = _TIME_ALONE.sub("", told.predicate or told.restated or "").strip()
    own = polarity_told(words) if words else Polarity.UNKNOWN
    if own is not Polarity.UNKNOWN:
        return own
    if narrator.judgement.inquiry.stance.polarity is not Polarity.UNWANTED or not words:
        return None
    return Polarity.WANTED if _BETTER.search(words.lower()) else Polarity.UNKNOWN
