"""Reasons from the hexagram as a whole, and from lines that matter besides the 用神.

六冲 is 散 and 六合 is 成: good or bad depending on the matter (六冲章, 六合章); in illness on whether it is new or
old (近病逢冲即愈, 久病逢冲则危; 近病逢空即愈), and omitted if the text does not say.
"""

from typing import Final

from liuyao.analysis_terms import PlateStatus
from liuyao.elements import generates
from liuyao.hexagrams import Kind
from liuyao.reading.contributions import Contribution, Term, because
from liuyao.reading.focus import Focus
from liuyao.reading.plate import Plate
from liuyao.reading.question.inquiry import Inquiry
from liuyao.reading.strength import vigour

# Two hexagrams together say more than the first alone, so the pairs come first.
_KINDS: Final = (
    (PlateStatus.CLASHING_TO_COMBINING, Term.CLASHING_TO_COMBINING),
    (PlateStatus.COMBINING_TO_CLASHING, Term.COMBINING_TO_CLASHING),
    (PlateStatus.CLASHING_TO_CLASHING, Term.CLASHING_TO_CLASHING),
    (PlateStatus.COMBINING_TO_COMBINING, Term.COMBINING_TO_COMBINING),
    (PlateStatus.CLASHING, Term.CLASHING),
    (PlateStatus.COMBINING, Term.COMBINING),
    (PlateStatus.WANDERING, Term.WANDERING),
    (PlateStatus.RETURNING, Term.RETURNING),
)
_PAIRS: Final = tuple(term for _, term in _KINDS[:4])

# What a changed hexagram is counts as much as if the first were it (变卦六冲 …), unless the pair says it.
_TURNED: Final = {
    Kind.CLASHING: (Term.CLASHING, Term.TURNS_CLASHING),
    Kind.COMBINING: (Term.COMBINING, Term.TURNS_COMBINING),
    Kind.WANDERING: (Term.WANDERING, Term.TURNS_WANDERING),
    Kind.RETURNING: (Term.RETURNING, Term.TURNS_RETURNING),
}

_ROAMING_MATTERS: Final = ("journey", "return", "documents", "career", "love")
"""Matters in which 游魂 and 归魂 weigh: whether one goes, stays or comes back."""

_HALVES: Final = (
    (Term.ECHO, (PlateStatus.INNER_ECHO, PlateStatus.OUTER_ECHO)),
    (Term.REVERSAL, (PlateStatus.INNER_REVERSAL, PlateStatus.OUTER_REVERSAL)),
)

_ILLNESS: Final = {
    (Term.CLASHING, True): Term.NEW_ILLNESS_CLASHED,
    (Term.CLASHING, False): Term.OLD_ILLNESS_CLASHED,
    (Term.COMBINING, True): Term.NEW_ILLNESS_COMBINED,
}


def hexagram_reasons(plate: Plate, inquiry: Inquiry) -> tuple[Contribution, ...]:
    """Return the contributions of the hexagram's nature."""
    statuses = plate.facts.statuses
    reasons = []
    term = next((term for status, term in _KINDS if status in statuses), None)
    if term:
        reasons.append(_kind(term, inquiry))
    changed = plate.facts.changed_kind
    if changed and term not in _PAIRS:
        like, turned = _TURNED[changed]
        reasons.append(Contribution(turned, _kind(like, inquiry, asked_of_illness=False).weight))
    for half, signs in _HALVES:
        if any(sign in statuses for sign in signs):
            reasons.append(because(half))
    return tuple(reasons)


def line_reasons(plate: Plate, focus: Focus, inquiry: Inquiry) -> tuple[Contribution, ...]:
    """Return the contributions of other lines the matter weighs, apart from their 生 or 克 on the 用神."""
    element = focus.at.element
    reasons = [
        because(term, line.position, note=line.relation)
        for line in plate.lines
        for term in [inquiry.matter.moving.get(line.relation)]
        if term and line.changes and line.position != focus.at.position
        # Of the other elements each has a part already: 元神, 忌神, 仇神 or 同气.
        if generates(element, line.element)
    ]
    if inquiry.matter.rank and (officers := plate.bearing("官鬼")):
        best = max(officers, key=lambda line: vigour(line, plate))
        own = vigour(best, plate)
        if own >= 2:
            reasons.append(because(Term.RANK_STRONG, best.position))
        elif own <= -4:
            reasons.append(because(Term.RANK_WEAK, best.position))
    return tuple(reasons)


def _kind(term: Term, inquiry: Inquiry, *, asked_of_illness: bool = True) -> Contribution:
    known = inquiry.recent is not None and asked_of_illness
    illness = _ILLNESS.get((term, bool(inquiry.recent))) if known else None
    if illness:
        return because(illness)
    weight = inquiry.matter.statuses.get(term, term.weight)
    if term in (Term.WANDERING, Term.RETURNING) and inquiry.matter.key not in _ROAMING_MATTERS:
        weight = 0
    return Contribution(term, weight)
