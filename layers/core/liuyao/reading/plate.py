"""The plate a reading is made from: six lines, hidden lines, 世 and 应, month and day.

Built from the wire object alone, so stored and fresh divinations read the same. Facts come from `relations`; nothing is
judged here.
"""

from dataclasses import dataclass
from typing import NamedTuple

from liuyao.analysis_terms import DayClash
from liuyao.divination import Divination, Element, Relation
from liuyao.elements import BRANCH_ELEMENT, generates
from liuyao.relations import BranchFacts, LineFacts, PlateFacts, examine, examine_branch


class Place(NamedTuple):
    """A branch on a line, or hidden under the line at `position` (伏神) if `line` is None."""

    position: int
    relation: Relation
    time: BranchFacts
    line: LineFacts | None

    @property
    def branch(self) -> str:
        """Its branch (地支)."""
        return self.time.branch

    @property
    def element(self) -> Element:
        """Its element."""
        return self.time.element

    @property
    def changes(self) -> bool:
        """Whether it is a changing line (明动). A hidden one never is."""
        return self.line is not None and self.line.is_changing

    @property
    def acts(self) -> bool:
        """Whether it acts on others: changing (明动), or stirred by the day (暗动)."""
        return self.line is not None and (self.line.is_changing or self.line.day_clash is DayClash.STIRRED)


@dataclass(frozen=True, slots=True)
class Plate:
    """A cast laid out for judgement. Positions are 1 – 6 from 初爻; `month` and `day` are branches."""

    facts: PlateFacts
    lines: tuple[Place, ...]
    hidden: tuple[Place, ...]
    world: Place
    """世."""
    response: Place
    """应."""
    month: str
    day: str

    def bearing(self, relation: Relation) -> tuple[Place, ...]:
        """The lines that bear a relation (六亲), lowest first."""
        return tuple([line for line in self.lines if line.relation == relation])

    @property
    def day_element(self) -> Element:
        """The element of 日辰."""
        return BRANCH_ELEMENT[self.day]

    def supported_by_day(self, at: Place) -> bool:
        """Whether 日辰 is the branch, shares its element without clashing, generates it, or combines with it at rest.

        A combination raises what is at rest (合起); it only ties what moves (合绊).
        """
        time = at.time
        return (
            time.on_day
            or (time.combines_with_day and not at.changes)
            or (self.day_element == time.element and not time.clashes_with_day)
            or generates(self.day_element, time.element)
        )


def lay_out(divination: Divination) -> Plate:
    """Return the plate of a derived or stored divination."""
    ganzhi = divination.ganzhi
    facts = examine(divination.binary_code, divination.changed_binary_code, ganzhi)
    lines = tuple([Place(line.position, line.relation, line.time, line) for line in facts.lines])
    hidden = [
        Place(info.position, info.relation_name, examine_branch(info.tigan_name, ganzhi), None)
        for info in divination.fushen_info_list
    ]
    return Plate(
        facts=facts,
        lines=lines,
        hidden=tuple(hidden),
        world=lines[divination.world_position - 1],
        response=lines[divination.response_position - 1],
        month=ganzhi.yue_jian[0],
        day=ganzhi.ri_chen[0],
    )
