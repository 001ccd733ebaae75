"""Which reasons of a judgement a reading tells in plain words: one that carries the verdict and one against it.

What the outline has told is not told again by the advice, which speaks of the other states of the plate.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from liuyao.reading.contributions import Aspect, Contribution, Term
from liuyao.reading.judgement import Judgement

OF_FOCUS: Final = (Aspect.MONTH, Aspect.DAY, Aspect.SELF)
"""Aspects that tell of the 用神 itself."""
_LEAST_OBJECTION: Final = 2
"""Points of an aspect from which it is told beside the verdict's reason."""
_CLEAR: Final = 7
_CLOSE: Final = 2
"""Points of a clear cast, and of one in which help and harm nearly balance."""


@dataclass(frozen=True, slots=True)
class Outline:
    """The two reasons, either of which may be missing, with the sign (1 or -1) of each."""

    carries: Contribution | None
    against: Contribution | None
    sign: int

    def told(self, *terms: Term) -> bool:
        """Whether one of the terms is told."""
        return any(reason is not None and reason.term in terms for reason in (self.carries, self.against))

    def names(self, line: int) -> bool:
        """Whether a reason is told that another line's action makes, and the line is that one."""
        return any(
            reason is not None and reason.term.aspect is Aspect.OTHERS and reason.lines[:1] == (line,)
            for reason in (self.carries, self.against)
        )


def outline(judgement: Judgement, *, without: Collection[Aspect] = ()) -> Outline:
    """The outline of a judgement: what decided it or the weightiest reason of the aspect that does most for it, and
    that of the aspect that does most against it.
    """
    sign = 1 if judgement.favourable else -1
    sums = {aspect: total for aspect, total in by_aspect(judgement).items() if aspect not in without}
    most = max(sums, key=lambda item: sign * sums[item], default=None)
    carries = judgement.decided_by
    if carries is None and most is not None and sign * sums[most] > 0:
        carries = weightiest(judgement, most, sign)
    least = min(sums, key=lambda item: sign * sums[item], default=None)
    against = None
    if least is not None and sign * sums[least] <= -_LEAST_OBJECTION:
        against = weightiest(judgement, least, -sign)
    return Outline(carries, against, sign)


def weightiest(judgement: Judgement, aspect: Aspect, sign: int) -> Contribution:
    """The weightiest reason of an aspect for (1) or against (-1) the matter, which it must have."""
    return max(
        (reason for reason in judgement.about(aspect) if reason.weight * sign > 0), key=lambda item: abs(item.weight)
    )


def by_aspect(judgement: Judgement) -> dict[Aspect, int]:
    """Return the weights of the reasons, summed by aspect."""
    sums: dict[Aspect, int] = {}
    for reason in judgement.reasons:
        sums[reason.term.aspect] = sums.get(reason.term.aspect, 0) + reason.weight
    return sums


def sureness(judgement: Judgement) -> str:
    """How plainly the signs agree with the verdict: `clear`, `leaning`, `close`, or `mixed` where most of them point
    the other way and one rule decides.
    """
    agreeing = judgement.score if judgement.favourable else -judgement.score
    if judgement.decided_by is not None:
        # A rule's own weight is no part of the sum.
        return "mixed" if agreeing < -_CLOSE else "leaning" if agreeing < _CLEAR else "clear"
    return "clear" if agreeing >= _CLEAR else "close" if agreeing <= _CLOSE else "leaning"
