"""What the other lines do to the 用神: 元神, 忌神, 仇神, lines of its own element, and 三合.

Only a line that moves (明动) or is stirred by the day (暗动) acts; how much follows from its own strength, so that a
feeble 元神 is 虽有如无 and a feeble 忌神 does no harm (元神忌神衰旺章). A line bound by 合 acts little until the 合
is broken (贪合忘生, 贪合忘克). Lines that form a 三合 act as one through the element they form. With 忌神 and
an able 元神 both acting, 忌神 feeds 元神 and the harm is gone (贪生忘克). A 用神 under 月破 that neither moves nor has
the day's support takes little of any help (生之不起).
"""

from dataclasses import dataclass
from typing import Final

from liuyao.analysis_terms import Change, Completion, DayCombination
from liuyao.elements import generates, overcomes
from liuyao.reading.contributions import Contribution, Term, because
from liuyao.reading.focus import Focus
from liuyao.reading.plate import Place, Plate
from liuyao.reading.strength import strength, vigour

# The least vigour for each capacity to act, and the points a line of that capacity gives or takes.
_CAPACITY: Final = ((3, 3), (-2, 2), (-6, 1))
_POINTS: Final = {
    Term.SOURCE_ACTS: {3: 5, 2: 4, 1: 1},
    Term.FOE_ACTS: {3: -5, 2: -4, 1: -1},
    Term.KIN_ACTS: {3: 2, 2: 1, 1: 1},
}
_ROOTLESS_SHARE: Final = 4
"""A rootless 用神 keeps one part in this many of the support it is given."""


@dataclass(frozen=True, slots=True)
class _Actor:
    line: Place
    capacity: int


def influences(plate: Plate, focus: Focus) -> tuple[Contribution, ...]:
    """Return the contributions of the other lines and of 三合 to the 用神."""
    element = focus.at.element
    trines = _trines(plate, focus)
    actors = _actors(plate, focus)
    sources = [_acting(Term.SOURCE_ACTS, actor) for actor in actors if generates(actor.line.element, element)]
    foes = [_acting(Term.FOE_ACTS, actor) for actor in actors if overcomes(actor.line.element, element)]
    kin = [_acting(Term.KIN_ACTS, actor) for actor in actors if actor.line.element == element]
    # 仇神 is what 用神 overcomes: it overcomes 元神 and generates 忌神.
    enemies = [actor.line.position for actor in actors if actor.capacity > 1 and overcomes(element, actor.line.element)]
    able = [actor.line.position for actor in actors if actor.capacity > 1 and generates(actor.line.element, element)]
    met = [because(Term.GREEDY, foes[0].lines[0], able[0])] if able and foes else foes
    reasons = [*sources, *met, *_enmity(enemies, sources, foes), *kin, *trines]
    reasons += _rescue(plate, focus, reasons)
    return (*reasons, *_rootless(plate, focus, reasons))


def _actors(plate: Plate, focus: Focus) -> list[_Actor]:
    bound = {position for trine in plate.facts.trines if _formed(trine.completion) for position in trine.positions}
    own = None if focus.hidden else focus.at.position
    lines = [line for line in plate.lines if line.acts and line.position != own and line.position not in bound]
    actors = [_Actor(line, _capacity(line, plate)) for line in lines]
    return [actor for actor in actors if actor.capacity]


def _capacity(line: Place, plate: Plate) -> int:
    own = vigour(line, plate)
    capacity = next((capacity for least, capacity in _CAPACITY if own >= least), 0)
    return min(capacity, 1) if _bound(line, plate) else capacity


def _bound(at: Place, plate: Plate) -> bool:
    return at.line is not None and (
        at.line.day_combined is DayCombination.BOUND
        # A change that feeds the line as well supports it (化扶).
        or (Change.COMBINED in at.line.changes and Change.GENERATED not in at.line.changes)
        or any(at.position in pair for pair in plate.facts.combinations)
    )


def _acting(term: Term, actor: _Actor) -> Contribution:
    return Contribution(term, _POINTS[term][actor.capacity], (actor.line.position,))


def _enmity(enemies: list[int], sources: list[Contribution], foes: list[Contribution]) -> list[Contribution]:
    if not enemies:
        return []
    if sources:
        # It can take no more than 元神 gives.
        given = sum(source.weight for source in sources)
        harm = max(Term.ENEMY_HURTS_SOURCE.weight, -given)
        return [Contribution(Term.ENEMY_HURTS_SOURCE, harm, (enemies[0], sources[0].lines[0]))]
    return [because(Term.ENEMY_FEEDS_FOE, enemies[0], foes[0].lines[0])] if foes else []


def _trines(plate: Plate, focus: Focus) -> list[Contribution]:
    element = focus.at.element
    own = None if focus.hidden else focus.at.position
    reasons = []
    # Of several only one counts: the one the 用神 is part of comes first.
    for trine in sorted(plate.facts.trines, key=lambda trine: own not in trine.positions):
        if not _formed(trine.completion):
            continue
        if trine.element == element or generates(trine.element, element):
            reasons.append(because(Term.TRINE_SUPPORTS, *trine.positions, note=trine.element))
        elif overcomes(trine.element, element):
            reasons.append(because(Term.TRINE_OVERCOMES, *trine.positions, note=trine.element))
    return reasons[:1]


def _formed(completion: Completion) -> bool:
    return completion is not Completion.AWAITED


def _rescue(plate: Plate, focus: Focus, reasons: list[Contribution]) -> list[Contribution]:
    harmed = [reason for reason in reasons if reason.term in (Term.FOE_ACTS, Term.TRINE_OVERCOMES)]
    saved = plate.supported_by_day(focus.at) or focus.at.time.month_status in ("旺", "相")
    if not (harmed and saved):
        return []
    # It can give back no more than the harm took.
    back = min(Term.RESCUED.weight, -sum(reason.weight for reason in harmed))
    return [Contribution(Term.RESCUED, back, harmed[0].lines)]


def _rootless(plate: Plate, focus: Focus, reasons: list[Contribution]) -> list[Contribution]:
    if not any(reason.term is Term.MONTH_BROKEN for reason in strength(focus.at, plate)):
        return []
    given = sum(reason.weight for reason in reasons if reason.weight > 0 or reason.term is Term.ENEMY_HURTS_SOURCE)
    lost = given - given // _ROOTLESS_SHARE
    return [Contribution(Term.ROOTLESS, -lost, (focus.at.position,))] if lost else []
