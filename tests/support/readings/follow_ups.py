"""Intents of follow-ups, as the corpora name them."""

from collections.abc import Iterable
from typing import Final

from liuyao.reading.question.asks import Intent

_FINER: Final = {
    Intent.LIKELY: (Intent.HOW_MUCH, Intent.CERTAINTY),
    Intent.LINE: (Intent.MEANING,),
    Intent.INSTEAD: (Intent.WAIT, Intent.ACTION, Intent.OUTCOME),
}
"""Intents of which corpora written before them have only a wider one."""


def heard_as(intents: Iterable[Intent]) -> list[str]:
    return [str(name) for intent in intents for name in (intent, *_FINER.get(intent, ()))]
