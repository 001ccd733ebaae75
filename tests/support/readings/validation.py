"""Nested cross-validation of the judgement over recorded casts.

Nothing that is scored on a fold was chosen with it: a decisive rule counts only if the other folds bear it out, and the
line from score to chance is fitted to them. A cast without a rule that counts is judged by its sum. That the rules were
written by people who knew the casts is not undone by this.
"""

import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import exp, log

from liuyao.reading.contributions import Contribution, Term
from liuyao.reading.decisive.rules import deciding
from liuyao.reading.judgement import weigh
from liuyao.reading.plate import lay_out
from tests.support.readings.recorded_cases import Recorded

FOLDS = 7
REPEATS = 20


@dataclass(frozen=True)
class Weighed:
    """A recorded cast: its sum in points, what each rule that holds says, in order, and how it ended."""

    score: int
    verdicts: tuple[Contribution, ...]
    favourable: bool

    @property
    def sum_right(self) -> bool:
        return (self.score >= 0) is self.favourable

    def right(self, counted: frozenset[Term]) -> bool:
        """Whether the first of the rules that count has its direction, or the sum where none holds."""
        verdict = next((verdict for verdict in self.verdicts if verdict.term in counted), None)
        return self.sum_right if verdict is None else (verdict.weight >= 0) is self.favourable


def weighed(cases: Iterable[Recorded]) -> tuple[Weighed, ...]:
    scenes = [(case, weigh(lay_out(case.divination), case.judgement.inquiry, case.judgement.focus)) for case in cases]
    return tuple(
        Weighed(sum(reason.weight for reason in scene.reasons), tuple(deciding(scene)), case.favourable)
        for case, scene in scenes
    )


def borne_out(casts: Iterable[Weighed]) -> frozenset[Term]:
    """The rules that were right at least once where they decide, and no less often than the sum."""
    decided = defaultdict[Term, list[Weighed]](list)
    for cast in casts:
        if cast.verdicts:
            decided[cast.verdicts[0].term].append(cast)
    return frozenset(
        term
        for term, met in decided.items()
        if sum(cast.right(frozenset((term,))) for cast in met) >= max(1, sum(cast.sum_right for cast in met))
    )


def rate_of_rules(casts: Sequence[Weighed]) -> float:
    """The share of casts that are right by the rules that the other folds bear out, over many divisions into folds."""

    def right(seen: Sequence[Weighed]) -> Callable[[Weighed], float]:
        counted = borne_out(seen)
        return lambda cast: cast.right(counted)

    return _mean_over_folds(casts, right)


def log_loss(casts: Sequence[Weighed]) -> float:
    """The mean logarithmic loss (nats) of the chance that the sum gives to what came of a cast, in folds."""

    def loss(seen: Sequence[Weighed]) -> Callable[[Weighed], float]:
        slope, base = _logistic([cast.score for cast in seen], [cast.favourable for cast in seen])
        return lambda cast: -log(_chance(slope * cast.score + base, cast.favourable))

    return _mean_over_folds(casts, loss)


def log_loss_of_the_rate(casts: Sequence[Weighed]) -> float:
    """Return the same of the rate of good outcomes alone."""

    def loss(seen: Sequence[Weighed]) -> Callable[[Weighed], float]:
        rate = sum(cast.favourable for cast in seen) / len(seen)
        return lambda cast: -log(rate if cast.favourable else 1 - rate)

    return _mean_over_folds(casts, loss)


def _mean_over_folds(
    casts: Sequence[Weighed], learn: Callable[[Sequence[Weighed]], Callable[[Weighed], float]]
) -> float:
    total = 0.0
    for seen, unseen in _divisions(casts):
        measured = learn(seen)
        total += sum(measured(cast) for cast in unseen)
    return total / REPEATS / len(casts)


def _divisions(casts: Sequence[Weighed]) -> Iterator[tuple[list[Weighed], list[Weighed]]]:
    for repeat in range(REPEATS):
        order = random.Random(repeat).sample(range(len(casts)), len(casts))
        for fold in range(FOLDS):
            apart = set(order[fold::FOLDS])
            yield [casts[place] for place in order if place not in apart], [casts[place] for place in apart]


def _chance(logit: float, favourable: bool) -> float:
    return 1 / (1 + exp(-logit if favourable else logit))


def _logistic(scores: Sequence[int], outcomes: Sequence[bool]) -> tuple[float, float]:
    # Newton's method; a weak prior keeps the slope finite where the scores part the outcomes.
    slope = base = 0.0
    for _ in range(12):
        chances = [_chance(slope * score + base, True) for score in scores]
        errors = [chance - outcome for chance, outcome in zip(chances, outcomes, strict=True)]
        spreads = [chance * (1 - chance) for chance in chances]
        by_slope = slope + sum(error * score for error, score in zip(errors, scores, strict=True))
        by_base = base + sum(errors)
        twice = 1 + sum(spread * score * score for spread, score in zip(spreads, scores, strict=True))
        both = sum(spread * score for spread, score in zip(spreads, scores, strict=True))
        once = 1 + sum(spreads)
        area = twice * once - both * both
        slope -= (once * by_slope - both * by_base) / area
        base -= (twice * by_base - both * by_slope) / area
    return slope, base
