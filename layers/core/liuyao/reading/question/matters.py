"""The matters people ask about, with the 用神 and other factors of each. `vocabulary` has their keywords.

Source: 《增删卜易》 用神章 and the chapter of each matter; 《卜筮正宗》 where it is silent. Independent of any plate.
"""

from dataclasses import dataclass, field
from typing import Final, Literal

from liuyao.care.kinds import Caution
from liuyao.divination import Relation
from liuyao.reading.contributions import Term

FocusOn = Relation | Literal["世爻", "应爻"]

_UNION: Final = {Term.CLASHING: -2, Term.COMBINING: 2}
"""Matters that want two sides to join: 六冲 parts them, 六合 joins them."""

_NEITHER: Final = dict.fromkeys(
    (
        *(Term.CLASHING, Term.COMBINING, Term.CLASHING_TO_CLASHING, Term.CLASHING_TO_COMBINING),
        *(Term.COMBINING_TO_CLASHING, Term.COMBINING_TO_COMBINING),
    ),
    0,
)
"""Matters of which one cannot say whether 散 or 成 is wanted."""


@dataclass(frozen=True, slots=True)
class Matter:
    """One matter. Weights are points, as in `contributions`; what a matter leaves out keeps its table weight."""

    key: str
    focus: FocusOn
    of_person: bool = False
    """Whether a person the question names (父母, 子女 …) is the 用神 instead."""
    two_sided: bool = False
    """Whether 应 stands for another side whose bearing counts."""
    overcoming_brings: bool = False
    """Whether 用神克世 brings the thing (财来就我, 行人克世而归)."""
    reach_of_world: bool = True
    """Whether 世 and 应 have a part in the matter besides the 用神."""
    holding: dict[Relation, Term] = field(default_factory=dict)
    """What it means that 世 bears a relation."""
    moving: dict[Relation, Term] = field(default_factory=dict)
    """What it means that a line of a relation moves, where 生克 with the 用神 does not already tell."""
    statuses: dict[Term, int] = field(default_factory=dict)
    rank: bool = False
    """Whether 官鬼 is read beside the 用神 (父旺官兴)."""
    caution: Caution | None = None


_FORTUNE_GUARDS: Final[dict[Relation, Term]] = {"子孙": Term.HELD_WELL, "官鬼": Term.HELD_ILL}

MATTERS: Final = (
    Matter(
        "career",
        "官鬼",
        of_person=True,
        holding={"子孙": Term.HELD_ILL},
        statuses={Term.CLASHING: -1, Term.COMBINING: 1},
    ),
    Matter(
        "study",
        "父母",
        of_person=True,
        rank=True,
    ),
    Matter(
        "wealth",
        "妻财",
        of_person=True,
        overcoming_brings=True,
        holding={"兄弟": Term.HELD_ILL},
        statuses={Term.CLASHING: -1, Term.COMBINING: 1},
        caution=Caution.FINANCE,
    ),
    Matter(
        "love",
        "妻财",
        two_sided=True,
        statuses=_UNION,
    ),
    Matter(
        "health",
        "世爻",
        of_person=True,
        reach_of_world=False,
        holding=_FORTUNE_GUARDS,
        moving={"子孙": Term.MOVES_WELL, "官鬼": Term.MOVES_ILL},
        statuses=_NEITHER,
        caution=Caution.HEALTH,
    ),
    Matter(
        "journey",
        "世爻",
        of_person=True,
        holding=_FORTUNE_GUARDS,
        moving={"官鬼": Term.MOVES_ILL},
        statuses=_NEITHER,
    ),
    Matter(
        "return",
        "应爻",
        of_person=True,
        overcoming_brings=True,
        reach_of_world=False,
        statuses=_NEITHER | {Term.RETURNING: 1},
    ),
    Matter(
        "lost",
        "妻财",
        overcoming_brings=True,
        statuses={Term.CLASHING: -1, Term.COMBINING: 1},
    ),
    Matter(
        "lawsuit",
        "世爻",
        of_person=True,
        two_sided=True,
        holding=_FORTUNE_GUARDS,
        statuses={
            Term.CLASHING: 1,
            Term.COMBINING: -1,
            Term.RESPONSE_CLASHES: 0,
            Term.WORLD_OVERCOMES: 2,
            Term.RESPONSE_VOID: 1,
        },
        caution=Caution.LEGAL,
    ),
    Matter(
        "documents",
        "父母",
        statuses={Term.CLASHING: -1, Term.COMBINING: 1},
    ),
    Matter(
        "children",
        "子孙",
    ),
    Matter(
        "partner",
        "应爻",
        two_sided=True,
        statuses=_UNION,
    ),
    Matter(
        "kin",
        "兄弟",
        reach_of_world=False,
        statuses=_NEITHER,
    ),
    Matter(
        "rain",
        "父母",
        reach_of_world=False,
        statuses=_NEITHER,
    ),
    Matter(
        "fair",
        "妻财",
        reach_of_world=False,
        statuses=_NEITHER,
    ),
    Matter(
        "dwelling",
        "父母",
        holding=_FORTUNE_GUARDS,
        statuses={Term.CLASHING: -1, Term.COMBINING: 1},
    ),
    Matter(
        "date",
        "世爻",
        holding=_FORTUNE_GUARDS,
        moving={"官鬼": Term.MOVES_ILL},
        statuses=_NEITHER,
    ),
    Matter(
        "naming",
        "父母",
        of_person=True,
        statuses=_NEITHER,
    ),
    Matter(
        "dream",
        "世爻",
        holding=_FORTUNE_GUARDS,
        moving={"官鬼": Term.MOVES_ILL},
        statuses=_NEITHER,
    ),
    Matter(
        "contest",
        "世爻",
        of_person=True,
        two_sided=True,
        statuses=_NEITHER
        | {
            Term.RESPONSE_CLASHES: 0,
            Term.WORLD_OVERCOMES: 2,
            Term.RESPONSE_VOID: 1,
        },
    ),
    Matter(
        "debt",
        "妻财",
        two_sided=True,
        overcoming_brings=True,
        holding={"兄弟": Term.HELD_ILL},
        statuses={Term.CLASHING: -1, Term.COMBINING: 1},
        caution=Caution.FINANCE,
    ),
    Matter(
        "permit",
        "父母",
        of_person=True,
        rank=True,
        statuses={Term.CLASHING: -1, Term.COMBINING: 1},
    ),
    Matter(
        "pets",
        "子孙",
        reach_of_world=False,
        statuses=_NEITHER,
    ),
    Matter(
        "pregnancy",
        "子孙",
        statuses=_NEITHER,
        caution=Caution.PREGNANCY,
    ),
    Matter(
        "general",
        "世爻",
        of_person=True,
        holding=_FORTUNE_GUARDS,
        statuses=_NEITHER,
    ),
)

BY_KEY: Final = {matter.key: matter for matter in MATTERS}
GENERAL: Final = BY_KEY["general"]
