"""Intents of follow-ups, as the corpora name them."""

from collections.abc import Iterable
from typing import Final

from liuyao.reading.question.asks import Intent
from liuyao.reading.question.hearing import SOCIAL

_FINER: Final = {
    Intent.SAY: (Intent.ACTION,),
    Intent.LIKELY: (Intent.HOW_MUCH, Intent.CERTAINTY),
    Intent.LINE: (Intent.MEANING,),
    Intent.INSTEAD: (Intent.WAIT, Intent.ACTION, Intent.OUTCOME),
    Intent.CONFIRM: (Intent.OUTCOME,),
    Intent.DOUBT: (Intent.CERTAINTY,),
    Intent.REPEAT: (Intent.PLAIN, Intent.MORE),
    Intent.WHO: (Intent.PEOPLE,),
    Intent.METHOD: (Intent.WHY, Intent.CERTAINTY),
    Intent.NEW_CAST: (Intent.CERTAINTY,),
    Intent.BEYOND: (Intent.NONE, Intent.HOW_MUCH),
    **dict.fromkeys(SOCIAL, (Intent.NONE,)),
}
"""Intents of which corpora written before them have only a wider one."""


def heard_as(intents: Iterable[Intent]) -> list[str]:
    return [str(name) for intent in intents for name in (intent, *_FINER.get(intent, ()))]
