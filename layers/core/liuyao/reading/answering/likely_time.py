"""The likely time of what is asked about, and whether it lies beyond the time that the question names."""

from datetime import timedelta
from typing import Final

from liuyao.reading.answering.replies import asked_for_quality, of_anger, period, unwanted
from liuyao.reading.judgement import Outcome
from liuyao.reading.narrative import Narrator
from liuyao.reading.question.asks import Asks, Scale
from liuyao.reading.question.form import Form
from liuyao.reading.question.sex_asked import sex_asked
from liuyao.reading.question.text import Expression

_DATELESS: Final = (
    *(Asks.WHEN, Asks.SEX_OF_CHILD, Asks.WHICH, Asks.HOW, Asks.WHO, Asks.WHERE, Asks.HOW_MUCH, Asks.OTHERS_MIND),
    Asks.WHY,
)
"""Kinds of answers that name their time themselves, or have none."""
_DATED: Final = (Form.WHETHER, Form.SHOULD, Form.COURSE)
"""Forms whose answer has a date."""
_TIMELESS_TOPICS: Final = ("naming", "dream", "date")
_FARTHEST: Final = timedelta(days=200)
"""From today; what is farther is told only where the question is when."""
_COMES: Final = Expression(
    "来|到|回|修|还(?!是|有|能|会|要)|完|发|寄|停|好起来|恢复|结束|卖|找|开门|批|通过|录取|录用|升|联系|签|怀|"
    r"\b(?:come|comes|arriv\w*|deliver\w*|repl\w+|answer|call|ring|write|return|back|turn up|show up|fix\w*|repair\w*|"
    r"finish\w*|done|over|end|stop|ready|sell|sold|found|find|get|open|reopen|approved?|granted|hear|pay|paid|bloom|"
    r"recover|pass|promot\w*|hired?|meet|marry|pregnant|move)\b"
)
"""What comes about on some day."""
_SOON_AFTER: Final = timedelta(days=30)
"""From the end of the time asked about; what is later is not told."""


def likely_time(narrator: Narrator) -> str | None:
    """The likely time, in one sentence, where the answer is that something comes or is to be done."""
    voice, judgement, asks = narrator.voice, narrator.judgement, narrator.judgement.inquiry.asks
    if asks is Asks.WHEN and narrator.careful and (date := narrator.main_time()):
        return voice.sentence(voice.phrase("time", date=date))
    if (
        asks in _DATELESS
        or narrator.situation.form not in _DATED
        or narrator.adviser.topic in _TIMELESS_TOPICS
        or of_anger(narrator)
        or (narrator.situation.is_open and sex_asked(narrator.adviser.text))
    ):
        return None
    if asks is Asks.HOW_IS and stretch(narrator):
        return voice.sentence(period(narrator))
    if not judgement.favourable or not narrator.times or narrator.calendar.scale is Scale.HOUR:
        return None
    if judgement.inquiry.matter.key == "dwelling" and asked_for_quality(narrator):
        return None
    if words := narrator.named_time_passed_over():
        far = unwanted(narrator) or is_far(narrator)
        return (
            None if far else voice.sentence(voice.varied("time beyond", words=words, date=narrator.main_time() or ""))
        )
    date, delayed = narrator.main_time(within=True), judgement.outcome is Outcome.DELAYED
    if date is None or narrator.times[0].first - narrator.calendar.today > _FARTHEST:
        return None
    if unwanted(narrator) and asks is not Asks.SHOULD:
        if not delayed:
            return None
        date = voice.end_of(narrator.times[0], narrator.calendar)
        return voice.sentence(voice.varied(narrator.key("time later harm"), date=date))
    if delayed:
        return voice.sentence(voice.varied(narrator.key("time later"), date=date))
    if asks is Asks.WHETHER and not narrator.at_its_own_time and _COMES.search(narrator.adviser.text.folded):
        return voice.sentence(voice.varied("time", date=date))
    return None


def is_beyond(narrator: Narrator) -> bool:
    """Whether the answer is that it needs longer than the time asked about."""
    judgement = narrator.judgement
    if narrator.situation.form is not Form.WHETHER or not judgement.favourable or unwanted(narrator):
        return False
    return narrator.named_time_passed_over() is not None and is_far(narrator)


def is_far(narrator: Narrator) -> bool:
    """Whether the deciding time is long after the time asked about."""
    bounds = narrator.calendar.bounds
    return bounds is not None and bool(narrator.times) and narrator.times[0].first - bounds[1] > _SOON_AFTER


def stretch(narrator: Narrator) -> str | None:
    """The user's words for a time of months that is asked about."""
    return narrator.named_time if narrator.calendar.scale is Scale.MONTH else None
