"""Cautions of a reading (CARE-04): which are stated, and when the grade is no advice."""

from collections.abc import Collection
from typing import Final

from liuyao.care.kinds import Caution
from liuyao.reading.question.inquiry import Inquiry
from liuyao.reading.question.matters import Matter
from liuyao.reading.question.text import Text
from liuyao.reading.question.topic import BELONGINGS, topic

GRAVE: Final = frozenset({Caution.HEALTH, Caution.PREGNANCY, Caution.ILLEGAL, Caution.LEGAL, Caution.STAKES})
"""With these, a grade never means "go ahead"."""

_OWN_WORDS: Final = frozenset({"health", "children", "pregnancy"})
"""Matters whose own texts refer the asker to a doctor, whatever the grade."""


def applying(cautions: Collection[Caution | None], inquiry: Inquiry, question: Text) -> set[Caution | None]:
    """Those of a question and of its matter; of a lent thing alone, that of a crime."""
    found = {*cautions, inquiry.matter.caution}
    return found & {Caution.ILLEGAL} if topic(inquiry, question) == BELONGINGS else found


def in_order(cautions: Collection[Caution | None]) -> list[Caution]:
    """The cautions to state, in order; that of all savings covers that of money, that of a crime
    that of law."""
    covered = {Caution.FINANCE} if Caution.STAKES in cautions else set()
    if Caution.ILLEGAL in cautions:
        covered.add(Caution.LEGAL)
    return [each for each in Caution if each in cautions and each not in covered]


_RANKED: Final = (
    *(Caution.ILLEGAL, Caution.PREGNANCY, Caution.STAKES, Caution.LEGAL, Caution.HEALTH, Caution.FINANCE),
)


def stated(cautions: Collection[Caution | None], matter: Matter) -> Caution | None:
    """The one caution that a text states: of a crime, else that of the matter itself, else the gravest."""
    own = matter.caution
    if own in GRAVE and own in cautions and Caution.ILLEGAL not in cautions:
        return own
    return next((each for each in _RANKED if each in cautions), None)


def is_careful(matter: Matter, cautions: Collection[Caution | None]) -> bool:
    """Whether verdict and action are replaced because of the question's cautions."""
    grave = GRAVE.intersection(cautions)
    if matter.key in _OWN_WORDS:
        grave -= {Caution.HEALTH, Caution.PREGNANCY}
    return bool(grave)
