"""When it answers (应期): the branches whose day or month the state of the deciding line waits for.

Source: 《增删卜易》 各门类应期总注章: what is 空 waits to be filled, what is 破 to be filled or combined, what is
buried or bound to be clashed open, what rests for its own day or its clash, what moves for its own day or its
combination, what is too strong for its tomb, what is overcome by its own change for that change to be clashed away,
what repeats itself (伏吟) for its clash; harm strikes what rests by its clash. The line is the 用神, unless a decisive
rule was about another. A near matter counts in days, a distant one in months.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from liuyao.analysis_terms import Change
from liuyao.divination import Element
from liuyao.elements import BRANCH_ELEMENT, BRANCHES, combined, generates, opposite, stage
from liuyao.reading.contributions import Aspect, Term
from liuyao.reading.judgement import Judgement
from liuyao.reading.plate import Place, Plate


class Wait(StrEnum):
    """What the line waits for."""

    EMERGE = "伏神出现"
    FILL_VOID = "出空填实"
    FILL_BREAK = "填破"
    OPEN_TOMB = "冲开墓库"
    OPEN_BOND = "冲开合绊"
    CLEAR_CHANGE = "冲去变爻"
    FILL_CHANGE = "变爻出空"
    CHANGE_COMES = "变爻值日"
    ECHO_CLASHED = "伏吟待冲"
    SPEND = "旺极待墓"
    MOVE = "动待值合"
    STIRRED = "暗动待值合"
    """The same of a line that the day's clash moves and that does not change."""
    REST = "静待值冲"
    GROW = "衰待生旺"
    TWIN = "两现应空破"


@dataclass(frozen=True, slots=True)
class Timing:
    """One clause of 应期: what is waited for, and the branch (地支) or branches of the day or month that bring it.

    `at` is the line that waits, where it is not the 用神.
    """

    wait: Wait
    branches: tuple[str, ...]
    at: Place | None = None


_MOST: Final = 3
_TOO_STRONG: Final = 8
_BY_ITS_CHANGE: Final = (
    *(Term.WORLD_TURNS_FOCUS, Term.COMES_BY_CHANGE, Term.WEATHER_TURNS, Term.TURNS_HOME, Term.TURNS_GHOST),
    *(Term.FOE_ADVANCES, Term.HEALER_UNFIT, Term.GHOST_TURNS_FOCUS),
)
"""Decided by what a line turns into, whose branch brings it."""
_BY_A_LINE: Final = (
    *(Term.WEATHER_MOVES, Term.WEATHER_PASSES, Term.OFFSPRING_HEALS, Term.GHOST_RELIEVED, Term.RANK_REACHES),
    *(Term.WORLD_TURNS_GHOST, Term.WORLD_RUINED, Term.RIVALS_HOLD, Term.OFFSPRING_HOLDS, Term.SPOUSE_DENIED),
    *(Term.TRAVELLER_TIED, Term.RANK_HOLDS),
)
"""Decided by a line that need not be the 用神, and waits as the 用神 would."""


def timings(judgement: Judgement, plate: Plate) -> tuple[Timing, ...]:
    """Return the clauses of 应期, the deciding one first; one to three."""
    focus, decided = judgement.focus, judgement.decided_by
    found: list[Timing] = []
    at = focus.at
    if decided and decided.lines and decided.term in (*_BY_ITS_CHANGE, *_BY_A_LINE):
        deciding = plate.lines[decided.lines[0] - 1]
        if decided.term in _BY_ITS_CHANGE and deciding.line and deciding.line.changed_branch:
            found.append(Timing(Wait.CHANGE_COMES, (deciding.line.changed_branch,), _other(deciding, judgement)))
        elif not focus.hidden or decided.term not in _BY_ITS_CHANGE:
            at = deciding
    found += _of_line(at, judgement, plate)
    if decided and decided.term is Term.WEATHER_HELD:
        held = plate.lines[decided.lines[0] - 1]
        found = [Timing(Wait.SPEND, (_tomb(held.element), held.branch), held)]
    if focus.twin:
        found.append(Timing(Wait.TWIN, (focus.twin.branch,)))
    if not judgement.favourable and focus.at.time.month_status in ("休", "囚", "死"):
        found.append(Timing(Wait.GROW, _generating(focus.at.element)))
    return tuple(found[:_MOST])


def _of_line(at: Place, judgement: Judgement, plate: Plate) -> list[Timing]:
    first = _state(at, judgement, plate)
    other = _other(at, judgement)
    found = [Timing(first.wait, first.branches, other)]
    if first.wait is Wait.MOVE and at.line and at.line.changed_branch:
        found.append(Timing(Wait.CHANGE_COMES, (at.line.changed_branch,), other))
    return found


def _other(at: Place, judgement: Judgement) -> Place | None:
    own = not judgement.focus.hidden and at.position == judgement.focus.at.position
    return None if own or at is judgement.focus.at else at


def _state(at: Place, judgement: Judgement, plate: Plate) -> Timing:
    itself, clash, pair = at.branch, opposite(at.branch), combined(at.branch)
    changed = at.line.changed_branch if at.line else None
    changes = at.line.changes if at.line else ()
    if at.line is None:
        return Timing(Wait.EMERGE, (itself, opposite(plate.lines[at.position - 1].branch)))
    if at.time.void and at.time.clashes_with_day:
        return Timing(_moving(at), (itself, pair))
    if at.time.void:
        return Timing(Wait.FILL_VOID, (itself, clash))
    if at.time.month_broken:
        return Timing(Wait.FILL_BREAK, (itself, pair))
    if changed == itself:
        return Timing(Wait.ECHO_CLASHED, (clash,))
    in_season = at.time.month_status in ("旺", "相")
    if Change.ADVANCING in changes or (Change.RETREATING in changes and in_season):
        return Timing(Wait.MOVE, (itself, pair))
    if changed and Change.OVERCOME in changes and judgement.favourable:
        return Timing(Wait.CLEAR_CHANGE, (opposite(changed), itself))
    if _buried(at, plate) or Change.TOMB in changes:
        return Timing(Wait.OPEN_TOMB, (opposite(_tomb(at.element)),))
    if at.line.day_combined is not None or Change.COMBINED in changes:
        return Timing(Wait.OPEN_BOND, (clash,))
    if changed and {Change.OVERCOME, Change.RETREATING, Change.CLASHED}.intersection(changes):
        return Timing(Wait.CLEAR_CHANGE, (opposite(changed), itself))
    if changed and Change.VOID in changes:
        return Timing(Wait.FILL_CHANGE, (changed,))
    own = sum(reason.weight for reason in judgement.about(Aspect.MONTH, Aspect.DAY))
    if at is judgement.focus.at and own >= _TOO_STRONG:
        return Timing(Wait.SPEND, (_tomb(at.element), clash))
    if at.acts:
        return Timing(_moving(at), (itself, pair))
    return Timing(Wait.REST, (itself, clash))


def _moving(at: Place) -> Wait:
    return Wait.MOVE if at.changes else Wait.STIRRED


def _buried(at: Place, plate: Plate) -> bool:
    return at.time.day_stage == "墓" and at.element != plate.day_element


def _tomb(element: Element) -> str:
    return next(branch for branch in BRANCHES if stage(element, branch) == "墓")


def _generating(element: Element) -> tuple[str, ...]:
    return tuple([branch for branch in BRANCHES if generates(BRANCH_ELEMENT[branch], element)])
