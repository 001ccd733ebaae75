"""The first answer said again in a later turn."""

from typing import Final

from liuyao.reading.answering.direct_answer import direct_answer
from liuyao.reading.answering.echoed import stated
from liuyao.reading.answering.replies import of_weather, unwanted
from liuyao.reading.narrative import Narrator
from liuyao.reading.question.asks import Asks
from liuyao.reading.question.polarity import Polarity

STOPS: Final = " .。!！"


def bare(sentence: str) -> str:
    """Return a sentence as a phrase, without its stop."""
    return sentence.rstrip(STOPS)


def verdict(narrator: Narrator) -> str:
    """Return the first answer as a phrase, without restating what was asked."""
    return bare(direct_answer(narrator, restating=False)[0])


def statement(narrator: Narrator) -> str | None:
    """Return what was asked as a statement of how it stands; None where no yes or no may be said (CARE-08)."""
    judgement, stance = narrator.judgement, narrator.judgement.inquiry.stance
    if narrator.is_guarded or of_weather(narrator):
        return None
    plain = stance.plain and stance.polarity is not Polarity.UNKNOWN
    if judgement.inquiry.asks is not Asks.WHETHER or not plain or narrator.named_time_passed_over():
        return None
    return stated(narrator, negative=judgement.favourable is unwanted(narrator))
