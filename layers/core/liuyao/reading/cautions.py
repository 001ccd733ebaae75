"""Cautions of a reading (CARE-04): which are stated, and when the grade is no advice."""

from collections.abc import Collection
from typing import Final

from liuyao.care.kinds import Caution
from liuyao.reading.question.matters import Matter

GRAVE: Final = frozenset({Caution.HEALTH, Caution.PREGNANCY, Caution.ILLEGAL, Caution.LEGAL, Caution.STAKES})
"""With these, a grade never means "go ahead"."""

_OWN_WORDS: Final = frozenset({"health", "children", "pregnancy"})
"""Matters whose own texts refer the asker to a doctor, whatever the grade."""


def in_order(cautions: Collection[Caution | None]) -> list[Caution]:
    """The cautions to state, in order; that of all savings covers that of money, that of a crime
    that of law."""
    covered = {Caution.FINANCE} if Caution.STAKES in cautions else set()
    if Caution.ILLEGAL in cautions:
        covered.add(Caution.LEGAL)
    return [each for each in Caution if each in cautions and each not in covered]


def is_careful(matter: Matter, cautions: Collection[Caution | None]) -> bool:
    """Whether verdict and action are replaced because of the question's cautions."""
    grave = GRAVE.intersection(cautions)
    if matter.key in _OWN_WORDS:
        grave -= {Caution.HEALTH, Caution.PREGNANCY}
    return bool(grave)
