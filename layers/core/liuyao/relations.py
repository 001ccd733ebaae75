"""Computes the effects of month, day, change and lines on a cast's lines: the facts of every judgement.

`examine` computes them as values; `analysis` renders them as the four lists of the wire object, and the
reading judges from them. Source: `divination-rules.md` §2.7 – §2.9 (default school 《增删卜易》); each term's
rule is stated in `analysis_terms`.
"""

from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from liuyao.analysis_terms import Change, Completion, DayClash, DayCombination, PlateStatus, TimeEffect
from liuyao.casts import CastLine, Trine, cast
from liuyao.divination import Element, Ganzhi, Relation, SeasonalStatus
from liuyao.elements import (
    ADVANCES,
    BRANCH_ELEMENT,
    BRANCHES,
    combined,
    generates,
    opposite,
    overcomes,
    seasonal_status,
    stage,
)
from liuyao.hexagrams import Kind


@dataclass(frozen=True, slots=True)
class BranchFacts:
    """The effects of month and day on a branch, on a line or hidden under one."""

    branch: str
    element: Element
    month_status: SeasonalStatus
    """旺相休囚死 by the month."""
    on_month: bool
    """临月建."""
    on_day: bool
    """临日辰."""
    month_broken: bool
    """月破."""
    month_combined: bool
    """月合."""
    clashes_with_day: bool
    combines_with_day: bool
    void: bool
    """旬空, by the day."""
    day_stage: str
    """The stage of 十二长生 the element stands in at the day's branch."""


class DayAndMonth(NamedTuple):
    """The effects of month and day on a line by its branch, at rest or changing."""

    branch: BranchFacts
    combined: DayCombination | None
    clash: DayClash | None
    effects: tuple[TimeEffect | DayCombination | DayClash, ...]
    """All of the above as terms."""


class LineFacts(NamedTuple):
    """One line of the original hexagram. Its parts are cached, for every derivation makes six of these."""

    cast: CastLine
    date: DayAndMonth
    changes: tuple[Change, ...]
    """What its change does to a changing line."""

    @property
    def position(self) -> int:
        """The position, 1 – 6 from 初爻."""
        return self.cast.position

    @property
    def branch(self) -> str:
        """Its branch (地支)."""
        return self.cast.branch

    @property
    def element(self) -> Element:
        """Its element."""
        return self.cast.element

    @property
    def relation(self) -> Relation:
        """Its relation (六亲)."""
        return self.cast.relation

    @property
    def is_changing(self) -> bool:
        """Whether it changes (明动)."""
        return self.cast.is_changing

    @property
    def changed_branch(self) -> str | None:
        """The branch it becomes, of a changing line."""
        return self.cast.changed_branch

    @property
    def changed_element(self) -> Element | None:
        """The element it becomes, of a changing line."""
        return self.cast.changed_element

    @property
    def changed_relation(self) -> Relation | None:
        """The relation it becomes, of a changing line, by the palace of the original hexagram."""
        return self.cast.changed_relation

    @property
    def time(self) -> BranchFacts:
        """The effects of month and day on its branch, whether it changes or not."""
        return self.date.branch

    @property
    def day_combined(self) -> DayCombination | None:
        """The effect of the day on a line it combines with."""
        return self.date.combined

    @property
    def day_clash(self) -> DayClash | None:
        """The effect of the day on a line it clashes with."""
        return self.date.clash

    @property
    def effects(self) -> tuple[TimeEffect | DayCombination | DayClash, ...]:
        """All effects of month and day, as terms."""
        return self.date.effects


class PlateFacts(NamedTuple):
    """The facts of a whole cast. Pairs and triples are positions 1 – 6 in rising order."""

    lines: tuple[LineFacts, ...]
    kind: Kind | None
    changed_kind: Kind | None
    """None too when nothing changes."""
    statuses: tuple[PlateStatus, ...]
    clashes: tuple[tuple[int, int], ...]
    """六冲 between lines of which at least one is changing."""
    combinations: tuple[tuple[int, int], ...]
    """六合 between two changing lines (一爻不动便不为合)."""
    trines: tuple[Trine, ...]


def examine(binary_code: str, changed_binary_code: str, ganzhi: Ganzhi) -> PlateFacts:
    """Return the facts of a cast from three fields of the wire object (`Divination`), fresh or stored.

    Codes put 初爻 first; a line changes where they differ.
    """
    month, day, void = ganzhi.yue_jian[0], ganzhi.ri_chen[0], ganzhi.day_kong_wang
    whole, times = cast(binary_code, changed_binary_code), _times(month, day, void)
    lines = [
        LineFacts(
            line,
            times[line.branch][line.is_changing],
            _changes(line.branch, line.changed_branch, month, void) if line.changed_branch else (),
        )
        for line in whole.lines
    ]
    return PlateFacts(
        tuple(lines),
        whole.kind,
        whole.changed_kind,
        whole.statuses,
        whole.clashes,
        whole.combinations,
        whole.trines + tuple([_completed(trine, month, day) for trine in whole.open_trines]),
    )


def examine_branch(branch: str, ganzhi: Ganzhi) -> BranchFacts:
    """Return the effects of month and day on any branch, e.g. that of a hidden line (伏神)."""
    at_rest, _ = _times(ganzhi.yue_jian[0], ganzhi.ri_chen[0], ganzhi.day_kong_wang)[branch]
    return at_rest.branch


@cache
def _times(month: str, day: str, void: str) -> dict[str, tuple[DayAndMonth, DayAndMonth]]:
    """Return the effects of one of the 720 pairs of a month's branch and a day on each branch, at rest and changing."""
    facts = {branch: _branch(branch, month, day, void) for branch in BRANCHES}
    return {branch: (_time(fact, changing=False), _time(fact, changing=True)) for branch, fact in facts.items()}


def _time(facts: BranchFacts, changing: bool) -> DayAndMonth:
    combination = clash = None
    if facts.combines_with_day:
        combination = DayCombination.BOUND if changing else DayCombination.RAISED
    if facts.clashes_with_day:
        clash = _day_clash(facts, changing)
    effects = (
        TimeEffect.ON_MONTH if facts.on_month else None,
        TimeEffect.ON_DAY if facts.on_day else None,
        TimeEffect.MONTH_BROKEN if facts.month_broken else None,
        TimeEffect.MONTH_COMBINED if facts.month_combined else None,
        combination,
        clash,
        TimeEffect.VOID if facts.void else None,
    )
    return DayAndMonth(facts, combination, clash, tuple(effect for effect in effects if effect))


def _branch(branch: str, month: str, day: str, void: str) -> BranchFacts:
    element = BRANCH_ELEMENT[branch]
    return BranchFacts(
        branch=branch,
        element=element,
        month_status=seasonal_status(element, month),
        on_month=branch == month,
        on_day=branch == day,
        month_broken=branch == opposite(month),
        month_combined=branch == combined(month),
        clashes_with_day=branch == opposite(day),
        combines_with_day=branch == combined(day),
        void=branch in void,
        day_stage=stage(element, day),
    )


def _day_clash(facts: BranchFacts, changing: bool) -> DayClash:
    if facts.void:
        return DayClash.FILLED
    if changing:
        return DayClash.SCATTERED
    return DayClash.STIRRED if facts.month_status in ("旺", "相") else DayClash.BROKEN


@cache
def _changes(branch: str, changed: str, month: str, void: str) -> tuple[Change, ...]:
    own, other = BRANCH_ELEMENT[branch], BRANCH_ELEMENT[changed]
    # 丑 advances to 辰 and 辰 echoes itself: neither is buried there, though 辰 is the tomb of earth.
    buried = stage(own, changed) == "墓" and changed != branch and branch + changed not in ADVANCES
    tests = {
        Change.GENERATED: generates(other, own),
        Change.OVERCOME: overcomes(other, own),
        Change.CLASHED: opposite(branch) == changed,
        Change.COMBINED: combined(branch) == changed,
        Change.ADVANCING: branch + changed in ADVANCES,
        Change.RETREATING: changed + branch in ADVANCES,
        Change.VOID: changed in void,
        Change.BROKEN: opposite(month) == changed,
        Change.TOMB: buried,
        Change.EXTINCT: stage(own, changed) == "绝",
    }
    return tuple(change for change, holds in tests.items() if holds)


def _completed(trine: Trine, month: str, day: str) -> Trine:
    if trine.completing == day:
        return Trine(trine.element, trine.positions, Completion.DAY, day)
    if trine.completing == month:
        return Trine(trine.element, trine.positions, Completion.MONTH, month)
    return trine
