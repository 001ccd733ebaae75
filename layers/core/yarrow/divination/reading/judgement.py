"""The judgement of a plate: the 用神, all reasons, and the grade of their sum.

The score is the plain sum of the contributions and thus monotone: more support or less harm never
lowers the grade. Thresholds are in points of `contributions`, set so that a 用神 with more help than harm
is 中上签 or better, and checked against the distribution over all casts.
"""

from dataclasses import dataclass
from typing import Final, Literal

from yarrow.divination.elements import generates, overcomes, stage
from yarrow.divination.reading.contributions import Aspect, Contribution, Term, because
from yarrow.divination.reading.focus import Focus, choose
from yarrow.divination.reading.hexagram_patterns import hexagram_reasons, line_reasons
from yarrow.divination.reading.influences import influences
from yarrow.divination.reading.plate import Place, Plate
from yarrow.divination.reading.question.inquiry import Inquiry
from yarrow.divination.reading.self_and_other import world_and_response
from yarrow.divination.reading.strength import strength

SignLevel = Literal["上上签", "中上签", "中下签", "下下签"]

THRESHOLDS: Final[tuple[tuple[int, SignLevel], ...]] = ((7, "上上签"), (0, "中上签"), (-6, "中下签"))
"""The least score of each grade; anything lower is 下下签."""

LEVELS: Final[tuple[SignLevel, ...]] = (*(level for _, level in THRESHOLDS), "下下签")
"""The grades, best first."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """A judged plate. `reasons` are in the order a reading tells them."""

    inquiry: Inquiry
    focus: Focus
    reasons: tuple[Contribution, ...]

    @property
    def score(self) -> int:
        """The sum of all reasons, in points."""
        return sum(reason.weight for reason in self.reasons)

    @property
    def sign_level(self) -> SignLevel:
        """The grade of the score."""
        return grade(self.score)

    @property
    def favourable(self) -> bool:
        """Whether help outweighs harm."""
        return self.score >= 0

    def about(self, *aspects: Aspect) -> tuple[Contribution, ...]:
        """The reasons of some aspects, in order."""
        return tuple(reason for reason in self.reasons if reason.term.aspect in aspects)

    def has(self, *terms: Term) -> bool:
        """Whether any of the terms is among the reasons."""
        return any(reason.term in terms for reason in self.reasons)

    @property
    def emerges(self) -> bool:
        """Of a hidden 用神: whether it comes out (伏神得出): what helps it there outweighs what keeps it under."""
        return sum(reason.weight for reason in self.about(Aspect.MONTH, Aspect.DAY, Aspect.SELF, Aspect.OTHERS)) >= 0


def grade(score: int) -> SignLevel:
    """The grade of a score."""
    return next((level for least, level in THRESHOLDS if score >= least), "下下签")


def judge(plate: Plate, inquiry: Inquiry, focus: Focus | None = None) -> Judgement:
    """Judge a plate for what is asked, by the 用神 that `choose` takes or by the one given."""
    focus = focus or choose(plate, inquiry.focus)
    own = tuple(_of_illness(reason, inquiry) for reason in strength(focus.at, plate))
    over = _under_flying(plate, focus) if focus.hidden else ()
    others = influences(plate, focus)
    reasons = (*own, *over, *others, *world_and_response(plate, focus, inquiry), *hexagram_reasons(plate, inquiry))
    reasons += line_reasons(plate, focus, inquiry)
    return Judgement(inquiry, focus, tuple(sorted(reasons, key=lambda reason: reason.term.aspect.value)))


def _of_illness(reason: Contribution, inquiry: Inquiry) -> Contribution:
    if inquiry.recent is None or reason.term is not Term.VOID:
        return reason
    return because(Term.NEW_ILLNESS_VOID if inquiry.recent else Term.OLD_ILLNESS_VOID, *reason.lines)


def _under_flying(plate: Plate, focus: Focus) -> tuple[Contribution, ...]:
    hidden, flying = focus.at, plate.lines[focus.at.position - 1]
    terms = [Term.HIDDEN]
    if generates(flying.element, hidden.element):
        terms.append(Term.FLYING_GENERATES)
    elif overcomes(flying.element, hidden.element):
        terms.append(Term.FLYING_OVERCOMES)
    elif generates(hidden.element, flying.element):
        terms.append(Term.FLYING_DRAINS)
    if stage(hidden.element, flying.branch) == "墓" and flying.element != hidden.element:
        terms.append(Term.FLYING_BURIES)
    if flying.time.void or flying.time.month_broken or flying.time.clashes_with_day:
        terms.append(Term.FLYING_EMPTY)
    elif _feeble(flying):
        terms.append(Term.FLYING_FEEBLE)
    return tuple(because(term, hidden.position) for term in terms)


def _feeble(flying: Place) -> bool:
    return flying.time.month_status in ("休", "囚", "死") and not flying.time.on_day
