"""The strength (旺衰) of one branch from month, day, void and its own change, as named contributions.

The rules are tables: of each group the first rule that holds counts, if any. They apply to the 用神, the
lines that act on it and 世; effects between lines are in `influences`. Defaults where schools differ: 旺相
or day-supported is not truly void (旺不为空), nor is a moving line (动不为空); a moving or day-supported line
under 月破 recovers; a changed line that is 月破 can neither 生 nor 克 (月破章), one that is 旬空 only half until
it leaves the void.
"""

from collections.abc import Callable
from typing import Final

from liuyao.analysis_terms import Change, DayClash, DayCombination
from liuyao.elements import generates, overcomes, seasonal_status
from liuyao.reading.contributions import Contribution, Term, because
from liuyao.reading.plate import Place, Plate
from liuyao.relations import LineFacts

Rules = tuple[tuple[Term, Callable[[Place, Plate], bool]], ...]

_SEASONED: Final = ("旺", "相")

_MONTH: Final[Rules] = (
    (Term.MONTH_BROKEN, lambda at, plate: at.time.month_broken and not _rescued(at, plate)),
    (Term.ON_MONTH, lambda at, _: at.time.on_month),
    (Term.IN_SEASON, lambda at, _: at.time.month_status == "旺"),
    (Term.MONTH_GENERATES, lambda at, _: at.time.month_status == "相"),
    (Term.RESTING, lambda at, _: at.time.month_status == "休"),
    (Term.CONFINED, lambda at, _: at.time.month_status == "囚"),
    (Term.MONTH_OVERCOMES, lambda at, _: at.time.month_status == "死"),
)

_MONTH_PAIRING: Final[Rules] = (
    (Term.BROKEN_YET_RESCUED, lambda at, plate: at.time.month_broken and _rescued(at, plate)),
    (Term.MONTH_COMBINES, lambda at, _: at.time.month_combined),
)

_DAY: Final[Rules] = (
    (Term.ON_DAY, lambda at, _: at.time.on_day),
    (Term.DAY_SUPPORTS, lambda at, plate: plate.day_element == at.element and not at.time.clashes_with_day),
    (Term.DAY_GENERATES, lambda at, plate: generates(plate.day_element, at.element)),
    (Term.DAY_OVERCOMES, lambda at, plate: overcomes(plate.day_element, at.element)),
    (Term.DAY_DRAINS, lambda at, plate: generates(at.element, plate.day_element)),
)

# A stage is told only where 生克 with the day does not already say it: 土绝于巳 is 绝处逢生, 土 at 辰 is 比扶.
_STAGE: Final[Rules] = (
    (Term.BIRTH, lambda at, plate: at.time.day_stage == "长生" and not generates(plate.day_element, at.element)),
    (
        Term.TOMB,
        lambda at, plate: (
            at.time.day_stage == "墓" and at.time.month_status not in _SEASONED and at.element != plate.day_element
        ),
    ),
    (Term.EXTINCT, lambda at, plate: at.time.day_stage == "绝" and not generates(plate.day_element, at.element)),
)

_DAY_MEETING: Final[Rules] = (
    (Term.RAISED, lambda at, _: _meets(at, DayCombination.RAISED)),
    (Term.BOUND, lambda at, _: _meets(at, DayCombination.BOUND)),
    (Term.STIRRED, lambda at, _: _meets(at, DayClash.STIRRED)),
    (Term.DAY_BROKEN, lambda at, _: _meets(at, DayClash.BROKEN)),
    (Term.SCATTERED, lambda at, _: _meets(at, DayClash.SCATTERED)),
)

_VOID: Final[Rules] = (
    (Term.VOID_FILLED, lambda at, _: at.time.void and at.time.clashes_with_day),
    (Term.VOID_MOVING, lambda at, _: at.time.void and at.changes),
    (
        Term.VOID_STRONG,
        lambda at, plate: at.time.void and (at.time.month_status in _SEASONED or plate.supported_by_day(at)),
    ),
    (Term.VOID, lambda at, _: at.time.void),
)

_GROUPS: Final = (_MONTH, _MONTH_PAIRING, _DAY, _STAGE, _DAY_MEETING, _VOID)

# 墓 and 绝 are told only of a change that neither generates nor overcomes; 冲 and 合 likewise.
_CHANGE: Final = (
    (Change.GENERATED, Term.TURNED_GENERATES),
    (Change.OVERCOME, Term.TURNED_OVERCOMES),
    (Change.ADVANCING, Term.ADVANCES),
    (Change.RETREATING, Term.RETREATS),
    (Change.COMBINED, Term.TURNED_COMBINES),
    (Change.CLASHED, Term.TURNED_CLASHES),
    (Change.TOMB, Term.TURNED_TOMB),
    (Change.EXTINCT, Term.TURNED_EXTINCT),
)
_STEPS: Final = (Term.ADVANCES, Term.RETREATS)
"""They hold though the changed line is 空 or 破: 动而化空破，岂可谓之不进 (进神退神章)."""


def strength(at: Place, plate: Plate) -> tuple[Contribution, ...]:
    """Return the contributions of month, day, void and own change to a line, or to a hidden branch."""
    reasons = []
    for group in _GROUPS:
        for term, holds in group:
            if holds(at, plate):
                reasons.append(because(term, at.position))
                break
    if at.line:
        reasons += _change(at.line, plate)
    return tuple(reasons)


def vigour(at: Place, plate: Plate) -> int:
    """Return the sum of those contributions, in points."""
    return sum([reason.weight for reason in strength(at, plate)])


def _rescued(at: Place, plate: Plate) -> bool:
    return at.changes or plate.supported_by_day(at)


def _meets(at: Place, meeting: DayCombination | DayClash) -> bool:
    return at.line is not None and meeting in (at.line.day_combined, at.line.day_clash)


def _change(line: LineFacts, plate: Plate) -> list[Contribution]:
    broken, void = Change.BROKEN in line.changes, Change.VOID in line.changes
    reasons = [because(Term.TURNED_BROKEN, line.position)] if broken else []
    reasons += [because(Term.TURNED_VOID, line.position)] if void and not broken else []
    for change, term in _CHANGE:
        if change in line.changes and (not broken or term in _STEPS):
            weight = term.weight + _seasoned_turn(term, line, plate)
            halved = void and term not in _STEPS
            return [Contribution(term, int(weight / 2) if halved else weight, (line.position,)), *reasons]
    return reasons


def _seasoned_turn(term: Term, line: LineFacts, plate: Plate) -> int:
    # 逢伤亦伤却有待时之用: what stands on month or day is hurt by half until the change is clashed away (五行相克章).
    if term is Term.TURNED_OVERCOMES and (line.time.on_month or line.time.on_day):
        return -term.weight // 2
    # A changed line that is 旺 or 相 itself turns back with more force, for good or ill.
    if line.changed_element and seasonal_status(line.changed_element, plate.month) in _SEASONED:
        return {Term.TURNED_GENERATES: 1, Term.TURNED_OVERCOMES: -1}.get(term, 0)
    return 0
