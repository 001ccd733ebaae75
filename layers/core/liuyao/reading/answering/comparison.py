"""Which of two options is better and why, and which month of several is best."""

from datetime import timedelta
from typing import Final

from liuyao.elements import BRANCH_ELEMENT
from liuyao.reading.acting import role
from liuyao.reading.answering.best_period import rank
from liuyao.reading.contributions import Aspect, Contribution
from liuyao.reading.focus import Choice, Focus
from liuyao.reading.judgement import Judgement, judge
from liuyao.reading.narrative import Narrator
from liuyao.reading.outline import by_aspect, weightiest
from liuyao.reading.plate import Plate
from liuyao.reading.voice import Voice

_MOST_OF_A_MONTH: Final = timedelta(days=20)
"""What must be left of a month for it to be called the best."""
_OF_OPTIONS: Final = (Aspect.MONTH, Aspect.DAY, Aspect.SELF, Aspect.OTHERS)
"""Aspects in which one of two options is told from the other."""
_UNEVEN: Final = 3
"""Points between two options that tell one from the other."""


def options(narrator: Narrator) -> str:
    """Return `first` or `second`, perhaps `slightly`, or `even`: 世 stands for the first option, 应 for the other."""
    first, second = (judged.score for judged in _sides(narrator))
    if first == second:
        return "even"
    better = "first" if first > second else "second"
    return better if abs(first - second) >= _UNEVEN else f"{better} slightly"


def which_why(narrator: Narrator, first: str, second: str) -> str | None:
    """Why one of two options is better, in plain words; None if neither is, or nothing tells them apart."""
    better = options(narrator)
    if better == "even":
        return None
    is_first = better.startswith("first")
    winner, loser = _sides(narrator) if is_first else reversed(_sides(narrator))
    names = (first, second) if is_first else (second, first)
    for judged, option, sign in ((winner, names[0], 1), (loser, names[1], -1)):
        sums = {aspect: sign * weight for aspect, weight in by_aspect(judged).items() if aspect in _OF_OPTIONS}
        aspect = max(sums, key=lambda item: sums[item], default=None)
        if aspect is not None and sums[aspect] > 0:
            reason = weightiest(judged, aspect, sign)
            told = plainly(narrator.voice, narrator.plate, judged, reason, sign)
            return narrator.voice.phrase("which why", option=option, reason=told)
    return None


def _sides(narrator: Narrator) -> tuple[Judgement, Judgement]:
    plate, inquiry = narrator.plate, narrator.judgement.inquiry
    return (
        judge(plate, inquiry, Focus(plate.world, Choice.SELF)),
        judge(plate, inquiry, Focus(plate.response, Choice.OTHER)),
    )


def plainly(voice: Voice, plate: Plate, judged: Judgement, reason: Contribution, sign: int) -> str:
    """A reason for (1) or against (-1) the matter in plain words, as a clause."""
    named = role(reason, plate, sign)
    topic = judged.inquiry.topic
    if named == "money leaks" and topic not in ("wealth", "debt"):
        named = "you give"
    own = voice.words.people_plain.get("health" if topic == "pregnancy" else topic, {})
    return voice.pick(f"plain {sign}", own.get(named) or voice.words.plain[named])


def best_month(narrator: Narrator) -> str | None:
    """The month of the time asked about that is best for the 用神: its own element, else one that feeds it."""
    own = narrator.judgement.focus.at.element
    months = narrator.calendar.months()
    if not months:
        return None

    whole = [month for month in months if month.last - month.first >= _MOST_OF_A_MONTH] or months
    # The earliest of the best.
    best = max(whole, key=lambda month: rank(BRANCH_ELEMENT[month.branch], own))
    return narrator.voice.month_span(best, narrator.calendar)
