"""When it answers (应期): the branches whose day or month the state of the 用神 waits for.

Source: 《增删卜易》 各门类应期总注章: what is 空 waits to be filled, what is 破 to be filled or combined, what is
buried or bound to be clashed open, what rests for its own day or its clash, what moves for its own day or its
combination, what is too strong for its tomb, what is overcome by its own change for that change to be clashed away. A
near matter counts in days, a distant one in months.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from yarrow.divination.elements import BRANCH_ELEMENT, BRANCHES, combined, generates, opposite, stage
from yarrow.divination.reading.contributions import Aspect, Term
from yarrow.divination.reading.judgement import Judgement
from yarrow.divination.reading.plate import Plate
from yarrow.protocol.events.divination import Element


class Wait(StrEnum):
    """What the 用神 waits for."""

    EMERGE = "伏神出现"
    FILL_VOID = "出空填实"
    FILL_BREAK = "填破"
    OPEN_TOMB = "冲开墓库"
    OPEN_BOND = "冲开合绊"
    CLEAR_CHANGE = "冲去变爻"
    FILL_CHANGE = "变爻出空"
    SPEND = "旺极待墓"
    MOVE = "动待值合"
    REST = "静待值冲"
    GROW = "衰待生旺"
    TWIN = "两现应空破"


@dataclass(frozen=True, slots=True)
class Timing:
    """One clause of 应期: what is waited for, and the branch (地支) or branches of the day or month that bring it."""

    wait: Wait
    branches: tuple[str, ...]


_TOO_STRONG: Final = 8
_TURNED_ILL: Final = (Term.TURNED_OVERCOMES, Term.RETREATS, Term.TURNED_CLASHES)


def timings(judgement: Judgement, plate: Plate) -> tuple[Timing, ...]:
    """The clauses of 应期, the deciding one first; one to three."""
    at = judgement.focus.at
    found = [_first(judgement, plate)]
    twin = judgement.focus.twin
    if twin:
        found.append(Timing(Wait.TWIN, (twin.branch,)))
    if not judgement.favourable and at.time.month_status in ("休", "囚", "死"):
        found.append(Timing(Wait.GROW, _generating(at.element)))
    return tuple(found)


def _first(judgement: Judgement, plate: Plate) -> Timing:
    at = judgement.focus.at
    itself, clash, pair = at.branch, opposite(at.branch), combined(at.branch)
    changed = at.line.changed_branch if at.line else None
    if judgement.focus.hidden:
        return Timing(Wait.EMERGE, (itself, opposite(plate.lines[at.position - 1].branch)))
    if at.time.void:
        return Timing(Wait.FILL_VOID, (itself, clash))
    if at.time.month_broken:
        return Timing(Wait.FILL_BREAK, (itself, pair))
    if judgement.has(Term.TOMB, Term.TURNED_TOMB):
        return Timing(Wait.OPEN_TOMB, (opposite(_tomb(at.element)),))
    if judgement.has(Term.RAISED, Term.BOUND, Term.TURNED_COMBINES):
        return Timing(Wait.OPEN_BOND, (clash,))
    if changed and judgement.has(*_TURNED_ILL):
        return Timing(Wait.CLEAR_CHANGE, (opposite(changed),))
    if changed and judgement.has(Term.TURNED_VOID):
        return Timing(Wait.FILL_CHANGE, (changed,))
    if sum(reason.weight for reason in judgement.about(Aspect.MONTH, Aspect.DAY)) >= _TOO_STRONG:
        return Timing(Wait.SPEND, (_tomb(at.element), clash))
    if at.acts:
        return Timing(Wait.MOVE, (itself, pair))
    return Timing(Wait.REST, (itself, clash))


def _tomb(element: Element) -> str:
    return next(branch for branch in BRANCHES if stage(element, branch) == "墓")


def _generating(element: Element) -> tuple[str, ...]:
    return tuple([branch for branch in BRANCHES if generates(BRANCH_ELEMENT[branch], element)])
