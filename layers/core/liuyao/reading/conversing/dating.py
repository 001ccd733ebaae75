"""When it comes about, as a follow-up asks: in the unit of the reading, and called a guide."""

import re
from typing import Final

from liuyao.reading.answering.replies import when
from liuyao.reading.conversing.turn import Turn
from liuyao.reading.narrative import Narrator
from liuyao.reading.question.asks import Scale
from liuyao.reading.question.follow_up import FollowUp
from liuyao.reading.question.polarity import Polarity, polarity_told

_TIME_ALONE: Final = re.compile(
    "什[么麼]时候|什[么麼]時候|何时|何時|几时|幾時|多久|[会會能呢要]|^when|\\b(?:will|it|that|be)\\b"
)
"""What asks for a time and for nothing else."""
_BETTER: Final = re.compile(r"^好|[转轉]好|好[转轉起]|恢[复復]|[过過]去|平息|\b(?:better|over|end|recover|pass)\b")
"""The end of what the first question fears."""


def when_told(narrator: Narrator, told: FollowUp, turn: Turn, grounds: list[str]) -> list[str]:
    """The time it points to; `narrator` asks as the follow-up does."""
    voice = narrator.voice
    dated = _dated(narrator, told, turn)
    grounds.append(dated.timing)
    if words := dated.named_time_passed_over():
        return [voice.sentence(voice.phrase("time beyond", words=words, date=dated.main_time() or ""))]
    answer = [voice.sentence(when(dated, turn.words, polarity=_polarity(narrator, told)))]
    return [*answer, voice.sentence(voice.phrase("when rough"))] if dated.main_time() else answer


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
