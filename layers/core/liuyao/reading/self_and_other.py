"""Reasons from 世 and 应: how the 用神 relates to 世, the state of 世, and how 世 and 应 relate (世应章)."""

from collections.abc import Callable
from typing import Final

from liuyao.analysis_terms import Completion
from liuyao.elements import combined, generates, opposite, overcomes
from liuyao.reading.contributions import Contribution, Term, because
from liuyao.reading.focus import Focus
from liuyao.reading.plate import Place, Plate
from liuyao.reading.question.inquiry import Inquiry
from liuyao.reading.strength import strength

Pairs = tuple[tuple[Term, Callable[[Place, Place], bool]], ...]

_TO_WORLD: Final[Pairs] = (
    (Term.COMBINES_WORLD, lambda use, world: combined(use.branch) == world.branch),
    (Term.GENERATES_WORLD, lambda use, world: generates(use.element, world.element)),
    (Term.OVERCOMES_WORLD, lambda use, world: overcomes(use.element, world.element)),
    (Term.CLASHES_WORLD, lambda use, world: opposite(use.branch) == world.branch),
    (Term.MATCHES_WORLD, lambda use, world: use.element == world.element),
    (Term.DRAINS_WORLD, lambda use, world: generates(world.element, use.element)),
    (Term.RESISTED_BY_WORLD, lambda use, world: overcomes(world.element, use.element)),
)

_RESPONSE: Final[Pairs] = (
    (Term.RESPONSE_COMBINES, lambda other, world: combined(other.branch) == world.branch),
    (Term.RESPONSE_CLASHES, lambda other, world: opposite(other.branch) == world.branch),
    (Term.RESPONSE_GENERATES, lambda other, world: generates(other.element, world.element)),
    (Term.RESPONSE_OVERCOMES, lambda other, world: overcomes(other.element, world.element)),
    (Term.RESPONSE_MATCHES, lambda other, world: other.element == world.element),
    (Term.WORLD_GENERATES, lambda other, world: generates(world.element, other.element)),
    (Term.WORLD_OVERCOMES, lambda other, world: overcomes(world.element, other.element)),
)

# The weakness of 世 worth naming, worst first, by the reason in its strength that shows it.
_WORLD_FAULTS: Final = (
    (Term.TURNED_OVERCOMES, Term.WORLD_TURNED_ON),
    (Term.MONTH_BROKEN, Term.WORLD_BROKEN),
    (Term.VOID, Term.WORLD_VOID),
)
_FEEBLE, _STRONG = -4, 4


def world_and_response(plate: Plate, focus: Focus, inquiry: Inquiry) -> tuple[Contribution, ...]:
    """Return the contributions of 世 and 应. A term the matter does not weigh has weight 0: a fact to tell."""
    reasons = [*_to_world(plate, focus, inquiry), *_world(plate, focus, inquiry)]
    return (*reasons, *_response(plate, focus, inquiry), *_trine(plate, focus, inquiry))


def _to_world(plate: Plate, focus: Focus, inquiry: Inquiry) -> list[Contribution]:
    # Someone else's fortune does not hang on how it bears on the asker, unless it is their coming that is asked.
    apart = inquiry.person or not inquiry.matter.reach_of_world
    if inquiry.focus in ("世爻", "应爻") or (apart and not inquiry.matter.overcoming_brings):
        return []
    if focus.at.position == plate.world.position and not focus.hidden:
        return [because(Term.HOLDS_WORLD, focus.at.position)]
    term = next(term for term, holds in _TO_WORLD if holds(focus.at, plate.world))
    if term is Term.OVERCOMES_WORLD and inquiry.matter.overcoming_brings:
        term = Term.COMES_TO_WORLD
    return [Contribution(term, _reach(term, focus), (focus.at.position, plate.world.position))]


def _reach(term: Term, focus: Focus) -> int:
    # A line that acts, or stands on month or day, reaches 世 in earnest; one hidden or at rest, less.
    if focus.hidden:
        return 0
    active = focus.at.acts or focus.at.time.on_month or focus.at.time.on_day
    strong = {Term.GENERATES_WORLD: 3, Term.COMES_TO_WORLD: 2, Term.OVERCOMES_WORLD: -2}
    return strong.get(term, term.weight) if active else term.weight


def _world(plate: Plate, focus: Focus, inquiry: Inquiry) -> list[Contribution]:
    world = plate.world
    reasons = []
    own = focus.at.position == plate.world.position and not focus.hidden
    if inquiry.matter.reach_of_world and not inquiry.person and not own:
        of_world = strength(world, plate)
        terms = {reason.term for reason in of_world if reason.weight}
        total = sum(reason.weight for reason in of_world)
        fault = next((fault for sign, fault in _WORLD_FAULTS if sign in terms), None)
        if fault is None and Term.TURNED_GENERATES in terms:
            fault = Term.WORLD_FED_IN_RETURN
        if fault is None and total <= _FEEBLE:
            fault = Term.WORLD_FEEBLE
        if fault is None and total >= _STRONG:
            fault = Term.WORLD_STRONG
        if fault:
            reasons.append(because(fault, world.position))
    held = inquiry.matter.holding.get(world.relation)
    if held is Term.HELD_WELL and own and _struck(world, plate):
        held = None
    if held and not inquiry.person:
        reasons.append(because(held, world.position, note=world.relation))
    return reasons


def _struck(world: Place, plate: Plate) -> bool:
    # 子孙持世 helps only if it is not overcome (病医章).
    moving = [line for line in plate.lines if line.acts and line.position != world.position]
    fed = any(generates(line.element, world.element) for line in moving)
    return not fed and any(overcomes(line.element, world.element) for line in moving)


def _response(plate: Plate, focus: Focus, inquiry: Inquiry) -> list[Contribution]:
    if inquiry.person or not inquiry.matter.reach_of_world:
        return []
    world, other = plate.world, plate.response
    weighed = inquiry.matter.two_sided
    term = next(term for term, holds in _RESPONSE if holds(other, world))
    weight = inquiry.matter.statuses.get(term, term.weight) if weighed else 0
    reasons = [Contribution(term, weight, (other.position, world.position))]
    empty = Term.VOID in {reason.term for reason in strength(other, plate)}
    if empty and weighed and focus.at.position != other.position:
        weight = inquiry.matter.statuses.get(Term.RESPONSE_VOID, Term.RESPONSE_VOID.weight)
        reasons.append(Contribution(Term.RESPONSE_VOID, weight, (other.position,)))
    return reasons


def _trine(plate: Plate, focus: Focus, inquiry: Inquiry) -> list[Contribution]:
    """局生世 is for the asker, 局生应 for the other side (三合章)."""
    if inquiry.person or not inquiry.matter.reach_of_world or focus.at.position == plate.world.position:
        return []
    for trine in plate.facts.trines:
        if trine.completion is Completion.AWAITED:
            continue
        if generates(trine.element, plate.world.element):
            return [because(Term.TRINE_FEEDS_WORLD, *trine.positions, note=trine.element)]
        if inquiry.matter.two_sided and generates(trine.element, plate.response.element):
            return [because(Term.TRINE_FEEDS_RESPONSE, *trine.positions, note=trine.element)]
    return []
