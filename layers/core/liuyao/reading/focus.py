"""Which line stands for what is asked (取用神).

All lines of one relation share one element, so month and day differ between them only by branch. Of two that bear the
relation the first of these tests that tells them apart decides (《增删卜易》 两现章, 《卜筮正宗》 十八问 第十七问):
临月建或日辰 → 发动 → 持世 → 不月破 → 不日破 (舍被伤用不伤) → 不旬空 → 临应 → 近世. The line passed over, when 旬空 or
月破, still tells the timing (得其验者，应乎旬空月破). When no line bears it, the 伏神.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from liuyao.analysis_terms import DayClash
from liuyao.reading.plate import Place, Plate
from liuyao.reading.question.matters import FocusOn


class Choice(StrEnum):
    """Why this line."""

    SELF = "世爻"
    OTHER = "应爻"
    ONLY = "独现"
    ON_TIME = "临月日"
    MOVING = "发动"
    WORLD = "持世"
    UNBROKEN = "不破"
    UNHURT = "不伤"
    NOT_VOID = "不空"
    RESPONSE = "临应"
    NEAREST = "近世"
    HIDDEN = "伏神"


@dataclass(frozen=True, slots=True)
class Focus:
    """The 用神: where it stands, why it was chosen, and another line of its relation that is 旬空 or 月破, for the
    timing.

    A hidden one stands at the position of the line it lies under, the 飞神.
    """

    at: Place
    choice: Choice
    twin: Place | None = None

    @property
    def hidden(self) -> bool:
        """Whether it is a 伏神."""
        return self.choice is Choice.HIDDEN


_TESTS: Final[tuple[tuple[Choice, Callable[[Place, Plate], int]], ...]] = (
    (Choice.ON_TIME, lambda line, _: line.time.on_month or line.time.on_day),
    (Choice.MOVING, lambda line, _: line.changes),
    (Choice.WORLD, lambda line, plate: line.position == plate.world.position),
    (Choice.UNBROKEN, lambda line, _: not line.time.month_broken),
    (Choice.UNHURT, lambda line, _: line.line is None or line.line.day_clash is not DayClash.BROKEN),
    (Choice.NOT_VOID, lambda line, _: not line.time.void),
    (Choice.RESPONSE, lambda line, plate: line.position == plate.response.position),
    (Choice.NEAREST, lambda line, plate: -abs(line.position - plate.world.position)),
)


def choose(plate: Plate, sought: FocusOn) -> Focus:
    """The 用神 of a plate for what is sought."""
    if sought == "世爻":
        return Focus(plate.world, Choice.SELF)
    if sought == "应爻":
        return Focus(plate.response, Choice.OTHER)
    candidates = plate.bearing(sought)
    if not candidates:
        return Focus(next(hidden for hidden in plate.hidden if hidden.relation == sought), Choice.HIDDEN)
    ranked = sorted(candidates, key=lambda line: _rank(line, plate), reverse=True)
    best = ranked[0]
    if len(ranked) == 1:
        return Focus(best, Choice.ONLY)
    twin = next((line for line in ranked[1:] if line.time.void or line.time.month_broken), None)
    return Focus(best, _decided_by(best, ranked[1], plate), twin)


def _rank(line: Place, plate: Plate) -> tuple[int, ...]:
    # Of two equally near 世, the lower.
    return (*(int(test(line, plate)) for _, test in _TESTS), -line.position)


def _decided_by(best: Place, second: Place, plate: Plate) -> Choice:
    return next(
        (choice for choice, test in _TESTS if test(best, plate) != test(second, plate)),
        Choice.NEAREST,
    )
