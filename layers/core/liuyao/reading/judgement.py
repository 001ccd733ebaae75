"""The judgement of a plate: the 用神, all reasons, and the grade of their sum.

A decisive rule (`decisive`) settles the outcome; without one the score does, the plain sum of the other
contributions. The sum is monotone: more support or less harm never lowers it. Thresholds are in points of
`contributions`, set so that a 用神 with more help than harm is 中上签 or better, and checked against the distribution
over all casts.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Literal

from liuyao.elements import generates, overcomes, stage
from liuyao.reading.contributions import Aspect, Contribution, Term, because
from liuyao.reading.decisive.rules import SUPERSEDED, decide
from liuyao.reading.decisive.scene import Scene
from liuyao.reading.focus import Focus, choose
from liuyao.reading.hexagram_patterns import hexagram_reasons, line_reasons
from liuyao.reading.influences import influences
from liuyao.reading.plate import Place, Plate
from liuyao.reading.question.inquiry import Inquiry
from liuyao.reading.self_and_other import world_and_response
from liuyao.reading.strength import strength

SignLevel = Literal["上上签", "中上签", "中下签", "下下签"]

THRESHOLDS: Final[tuple[tuple[int, SignLevel], ...]] = ((7, "上上签"), (0, "中上签"), (-6, "中下签"))
"""The least score of each grade; anything lower is 下下签."""

LEVELS: Final[tuple[SignLevel, ...]] = (*(level for _, level in THRESHOLDS), "下下签")
"""The grades, best first."""


class Outcome(StrEnum):
    """How the matter ends."""

    FAVOURABLE = "favourable"
    DELAYED = "delayed"
    """Favourable, but not yet: it waits for what `timing` names (待冲, 待值, 出空, 出墓)."""
    UNFAVOURABLE = "unfavourable"


_WAITING: Final = (
    *(Term.HIDDEN, Term.VOID, Term.VOID_MOVING, Term.VOID_STRONG, Term.BROKEN_YET_RESCUED),
    *(Term.TOMB, Term.TURNED_TOMB, Term.BOUND, Term.TURNED_COMBINES, Term.TURNED_VOID, Term.TURNED_OVERCOMES),
    *(Term.WEATHER_WAITS, Term.WEATHER_HELD, Term.COMES_BY_CHANGE, Term.WORLD_TURNED_ON),
)
"""States of the 用神 that hold a good outcome back."""

_DECIDED: Final = 3
"""Points by which what decided moves the grade."""

_WORLD_RUINED: Final = (Term.WORLD_TURNED_ON, Term.WORLD_VOID, Term.WORLD_BROKEN)
"""With these the asker cannot have it in full."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """A judged plate. `reasons` are in the order a reading tells them; `decided_by` is the one of them that settled
    the outcome before the sum, if one did. `score` is the sum in points, of all but what only decides.
    """

    inquiry: Inquiry
    focus: Focus
    reasons: tuple[Contribution, ...]
    score: int
    decided_by: Contribution | None = None

    @property
    def sign_level(self) -> SignLevel:
        """The grade of the score, kept on the side of the outcome; the highest only for what nothing holds back."""
        swayed = 0 if self.decided_by is None else _DECIDED if self.favourable else -_DECIDED
        level = grade(self.score + swayed)
        if not self.favourable:
            return level if level in LEVELS[2:] else LEVELS[2]
        if level == LEVELS[0] and (self.outcome is Outcome.DELAYED or self.has(*_WORLD_RUINED)):
            return LEVELS[1]
        return level if level in LEVELS[:2] else LEVELS[1]

    @property
    def favourable(self) -> bool:
        """Whether the matter ends well, at once or later: what decided says so, else help outweighs harm."""
        return (self.decided_by.weight if self.decided_by else self.score) >= 0

    @property
    def outcome(self) -> Outcome:
        """How the matter ends."""
        if not self.favourable:
            return Outcome.UNFAVOURABLE
        return Outcome.DELAYED if self.has(*_WAITING) else Outcome.FAVOURABLE

    def about(self, *aspects: Aspect) -> tuple[Contribution, ...]:
        """Return the reasons of some aspects, in order."""
        return tuple(reason for reason in self.reasons if reason.term.aspect in aspects)

    def has(self, *terms: Term) -> bool:
        """Whether any of the terms is among the reasons."""
        return any(reason.term in terms for reason in self.reasons)

    @property
    def emerges(self) -> bool:
        """Whether a hidden 用神 comes out (伏神得出): what helps it there outweighs what keeps it under."""
        return sum(reason.weight for reason in self.about(Aspect.MONTH, Aspect.DAY, Aspect.SELF, Aspect.OTHERS)) >= 0


def grade(score: int) -> SignLevel:
    """Return the grade of a score."""
    return next((level for least, level in THRESHOLDS if score >= least), "下下签")


def judge(plate: Plate, inquiry: Inquiry, focus: Focus | None = None) -> Judgement:
    """Judge a plate for what is asked, by the 用神 that `choose` takes or by the one given."""
    scene = weigh(plate, inquiry, focus or choose(plate, inquiry.focus))
    reasons = scene.reasons
    score = sum(reason.weight for reason in reasons)
    decided_by = decide(scene)
    if decided_by:
        said = (decided_by.term, *SUPERSEDED.get(decided_by.term, ()))
        reasons = (*(reason for reason in reasons if reason.term not in said), decided_by)
    told = tuple(sorted(reasons, key=lambda reason: reason.term.aspect.value))
    return Judgement(inquiry, scene.focus, told, score, decided_by)


def weigh(plate: Plate, inquiry: Inquiry, focus: Focus) -> Scene:
    """All reasons of a plate, before any of them decides."""
    own = tuple(_of_illness(reason, inquiry) for reason in strength(focus.at, plate))
    over = _under_flying(plate, focus) if focus.hidden else ()
    others = influences(plate, focus)
    reasons = (*own, *over, *others, *world_and_response(plate, focus, inquiry), *hexagram_reasons(plate, inquiry))
    reasons += line_reasons(plate, focus, inquiry)
    return Scene(plate, inquiry, focus, reasons)


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
