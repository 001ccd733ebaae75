"""The plate as a decisive rule sees it: who moves, who is sound, what a line turns into."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from liuyao.analysis_terms import Change, Completion, DayCombination, PlateStatus
from liuyao.casts import Trine
from liuyao.divination import Relation
from liuyao.elements import generates, overcomes, seasonal_status
from liuyao.reading.contributions import Contribution, Term
from liuyao.reading.focus import Focus
from liuyao.reading.plate import Place, Plate
from liuyao.reading.question.inquiry import Inquiry
from liuyao.reading.strength import strength


@dataclass(frozen=True, slots=True)
class Scene:
    """One judgement before its sum. `reasons` are those found so far."""

    plate: Plate
    inquiry: Inquiry
    focus: Focus
    reasons: tuple[Contribution, ...]
    _strengths: dict[int, tuple[Contribution, ...]] = field(default_factory=dict)

    @property
    def at(self) -> Place:
        """The 用神."""
        return self.focus.at

    @property
    def world(self) -> Place:
        """世."""
        return self.plate.world

    @property
    def for_self(self) -> bool:
        """Whether the asker's own fortune is asked, so that 世 has a say."""
        return self.inquiry.person is None

    @property
    def in_world(self) -> bool:
        """Whether the 用神 is 世."""
        return not self.focus.hidden and self.at.position == self.world.position

    def status(self, *statuses: PlateStatus) -> bool:
        """Whether the cast is any of these."""
        return any(status in self.plate.facts.statuses for status in statuses)

    def reason(self, *terms: Term) -> Contribution | None:
        """Return the first reason found with one of the terms."""
        return next((reason for reason in self.reasons if reason.term in terms), None)

    def strength(self, line: Place) -> tuple[Contribution, ...]:
        """Return the contributions of month, day and change to a line of the plate."""
        found = self._strengths.get(line.position)
        if found is None:
            found = self._strengths[line.position] = strength(line, self.plate)
        return found

    def vigour(self, line: Place) -> int:
        """Return their sum, in points."""
        return sum([reason.weight for reason in self.strength(line)])

    def suffers(self, line: Place, *terms: Term) -> bool:
        """Whether any of the terms is in a line's strength with a weight."""
        return any(reason.term in terms and reason.weight for reason in self.strength(line))

    def acting(self, *relations: Relation) -> list[Place]:
        """The lines of these relations that move or are stirred."""
        return [line for line in self.plate.lines if line.acts and line.relation in relations]

    def able(self, *relations: Relation) -> list[Place]:
        """Those of them that are neither tied nor too feeble to act."""
        return [line for line in self.acting(*relations) if not tied(line) and self.vigour(line) >= -2]

    def trines(self) -> Iterator[Trine]:
        """The 三合 that are complete."""
        return (trine for trine in self.plate.facts.trines if trine.completion is not Completion.AWAITED)

    def sources(self) -> list[Place]:
        """The acting lines that generate the 用神 (元神)."""
        return [line for line in self.plate.lines if line.acts and generates(line.element, self.at.element)]

    def foes(self) -> list[Place]:
        """The acting lines that overcome the 用神 (忌神)."""
        return [line for line in self.plate.lines if line.acts and overcomes(line.element, self.at.element)]

    def struck(self, line: Place) -> bool:
        """Whether what overcomes a line moves, and nothing that generates it."""
        moving = [item for item in self.plate.lines if item.acts and item.position != line.position]
        if any(generates(item.element, line.element) for item in moving):
            return False
        return any(overcomes(item.element, line.element) and not tied(item) for item in moving)

    def backed(self, line: Place) -> bool:
        """Whether month or day is behind a line: 旺相, or on, of or fed by 日辰 (有气)."""
        return line.time.month_status in ("旺", "相") or self.plate.supported_by_day(line)

    def turned_on(self, line: Place) -> bool:
        """Whether a line changes into what overcomes it in earnest (回头克): a controlled or broken branch does not."""
        return self.suffers(line, Term.TURNED_OVERCOMES) and not self.restrained(line)

    def restrained(self, line: Place) -> bool:
        """Whether the branch a line changes into is itself overcome by the month with no help of the day (有制)."""
        own = line.line
        if own is None or own.changed_element is None or own.changed_branch == self.plate.day:
            return False
        day = self.plate.day_element
        helped = day == own.changed_element or generates(day, own.changed_element)
        return seasonal_status(own.changed_element, self.plate.month) == "死" and not helped

    def ruined(self, line: Place) -> bool:
        """Whether a line is 月破 or 日破 for good, or 旬空 with nothing behind it."""
        return self.suffers(line, Term.MONTH_BROKEN, Term.DAY_BROKEN, Term.VOID)


Rule = Callable[[Scene], Contribution | None]
"""A decisive rule: the contribution that decides, or None where it does not hold."""


def tied(line: Place) -> bool:
    """Whether a moving line is held by 合 with the day or with its own change (贪合忘生, 贪合忘克)."""
    own = line.line
    if own is None:
        return False
    by_change = Change.COMBINED in own.changes and Change.GENERATED not in own.changes
    return own.day_combined is DayCombination.BOUND or by_change


def becomes(line: Place) -> Relation | None:
    """The relation a moving line turns into, None if it keeps it or rests."""
    own = line.line
    return own.changed_relation if own and own.changed_relation != line.relation else None


def has_change(line: Place, change: Change) -> bool:
    """Whether a line's change is of a kind."""
    return line.line is not None and change in line.line.changes
