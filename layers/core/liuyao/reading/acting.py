"""What acts for or against a matter, as a role in plain life: the time, oneself, the other side, people, the course.

Reasons of one kind share a role, and words are kept by role: a reader is not told which line does what to which.
"""

from typing import Final

from liuyao.reading.contributions import Aspect, Contribution, Term
from liuyao.reading.plate import Plate

_FOR: Final[dict[Term, str]] = {
    **dict.fromkeys((Term.ON_MONTH, Term.IN_SEASON, Term.MONTH_GENERATES, Term.MONTH_COMBINES), "month helps"),
    **dict.fromkeys((Term.ON_DAY, Term.DAY_SUPPORTS, Term.DAY_GENERATES), "days help"),
    **dict.fromkeys((Term.RAISED, Term.STIRRED, Term.VOID_FILLED), "has begun"),
    **dict.fromkeys((Term.BIRTH, Term.ADVANCES, Term.TURNED_GENERATES), "grows"),
    **dict.fromkeys((Term.TURNED_COMBINES, Term.FLYING_GENERATES), "is caught"),
    **dict.fromkeys((Term.FLYING_EMPTY, Term.FLYING_FEEBLE), "hurdle gives way"),
    Term.KIN_ACTS: "company",
    Term.TRINE_SUPPORTS: "all together",
    **dict.fromkeys((Term.RESCUED, Term.GREEDY), "way out"),
    **dict.fromkeys((Term.HOLDS_WORLD, Term.RANK_HOLDS, Term.WORLD_OVERCOMES), "in hand"),
    **dict.fromkeys(
        (Term.GENERATES_WORLD, Term.COMES_TO_WORLD, Term.RANK_REACHES, Term.WORLD_TURNS_FOCUS, Term.TRINE_FEEDS_WORLD),
        "comes to you",
    ),
    **dict.fromkeys((Term.COMBINES_WORLD, Term.MATCHES_WORLD), "suits you"),
    **dict.fromkeys((Term.WORLD_STRONG, Term.WORLD_FED_IN_RETURN), "you are strong"),
    **dict.fromkeys((Term.RESPONSE_COMBINES, Term.RESPONSE_GENERATES), "other is kind"),
    Term.RESPONSE_MATCHES: "other is even",
    Term.RESPONSE_VOID: "other is weak",
    Term.TRINE_FEEDS_RESPONSE: "other gains",
    **dict.fromkeys((Term.HELD_WELL, Term.MOVES_WELL, Term.GHOST_RELIEVED), "relief"),
    Term.RANK_STRONG: "noticed",
    **dict.fromkeys((Term.COMBINING, Term.COMBINING_TO_COMBINING, Term.TURNS_COMBINING), "holds together"),
    **dict.fromkeys((Term.CLASHING_TO_COMBINING, Term.CLASH_HELD), "ends well"),
    **dict.fromkeys((Term.CLASHING, Term.TURNS_CLASHING, Term.DISPUTE_DISSOLVES), "comes apart"),
    **dict.fromkeys((Term.TURNS_HOME, Term.RETURNING, Term.TURNS_RETURNING), "turns home"),
    Term.COMES_BY_CHANGE: "will show",
    **dict.fromkeys((Term.NEW_ILLNESS_CLASHED, Term.NEW_ILLNESS_VOID, Term.NEW_ILLNESS_TURNED_VOID), "passes"),
    Term.OFFSPRING_HEALS: "is treated",
}
_AGAINST: Final[dict[Term, str]] = {
    **dict.fromkeys((Term.RESTING, Term.CONFINED), "month is slow"),
    **dict.fromkeys((Term.MONTH_OVERCOMES, Term.MONTH_BROKEN, Term.BROKEN_YET_RESCUED), "month is against"),
    **dict.fromkeys((Term.DAY_OVERCOMES, Term.EXTINCT), "days are against"),
    Term.DAY_DRAINS: "strength goes elsewhere",
    Term.BOUND: "is tied",
    **dict.fromkeys((Term.TOMB, Term.TURNED_TOMB), "is stuck"),
    **dict.fromkeys((Term.DAY_BROKEN, Term.SCATTERED), "is upset"),
    Term.VOID: "is empty",
    **dict.fromkeys((Term.VOID_MOVING, Term.VOID_STRONG), "is not settled"),
    **dict.fromkeys((Term.TURNED_OVERCOMES, Term.RETREATS), "fades"),
    **dict.fromkeys((Term.TURNED_VOID, Term.TURNED_BROKEN, Term.TURNED_EXTINCT), "next step is open"),
    Term.TURNED_CLASHES: "wavers",
    Term.HIDDEN: "is hidden",
    **dict.fromkeys((Term.FLYING_OVERCOMES, Term.FLYING_DRAINS, Term.FLYING_BURIES), "something else comes first"),
    **dict.fromkeys((Term.ENEMY_HURTS_SOURCE, Term.ROOTLESS, Term.SOURCE_RUINED), "help is held up"),
    **dict.fromkeys((Term.ENEMY_FEEDS_FOE, Term.FOE_ADVANCES), "resistance grows"),
    Term.TRINE_OVERCOMES: "all at once",
    Term.OVERCOMES_WORLD: "weighs on you",
    Term.CLASHES_WORLD: "two minds",
    **dict.fromkeys((Term.DRAINS_WORLD, Term.WORLD_GENERATES), "you give"),
    Term.RESISTED_BY_WORLD: "held too tightly",
    **dict.fromkeys((Term.WORLD_TURNED_ON, Term.WORLD_TURNS_GHOST), "haste"),
    Term.WORLD_VOID: "you are undecided",
    **dict.fromkeys((Term.WORLD_BROKEN, Term.WORLD_FEEBLE, Term.WORLD_RUINED), "you are tired"),
    Term.RESPONSE_CLASHES: "other is apart",
    Term.RESPONSE_OVERCOMES: "other is stronger",
    Term.RESPONSE_VOID: "other is undecided",
    Term.HELD_ILL: "your worry",
    Term.MOVES_ILL: "disturbance",
    Term.RANK_WEAK: "not noticed",
    **dict.fromkeys((Term.CLASHING, Term.CLASHING_TO_CLASHING, Term.TURNS_CLASHING), "falls apart"),
    Term.COMBINING_TO_CLASHING: "cools",
    **dict.fromkeys((Term.COMBINING, Term.TURNS_COMBINING, Term.COMBINING_TO_COMBINING), "drags on"),
    **dict.fromkeys((Term.ECHO, Term.TURNS_RETURNING), "goes in circles"),
    Term.REVERSAL: "goes back and forth",
    **dict.fromkeys((Term.WANDERING, Term.TURNS_WANDERING), "no direction"),
    Term.RETURNING: "better near",
    **dict.fromkeys((Term.GOES_TO_ANOTHER, Term.TRINE_FEEDS_RESPONSE), "goes to another"),
    **dict.fromkeys(
        (Term.TURNS_GHOST, Term.GHOST_TURNS_FOCUS, Term.BURIED_WITH_GHOST, Term.THREE_PUNISHMENTS), "worry in it"
    ),
    **dict.fromkeys((Term.OFFSPRING_HOLDS, Term.RANK_HURT), "heart elsewhere"),
    Term.RIVALS_HOLD: "money leaks",
    Term.SPOUSE_DENIED: "tempers",
    Term.TRAVELLER_TIED: "unfinished",
    **dict.fromkeys((Term.LIFE_VOID, Term.LIFE_SCATTERED), "changes course"),
    Term.GOES_ON: "goes on",
    **dict.fromkeys(
        (Term.OLD_ILLNESS_CLASHED, Term.OLD_ILLNESS_VOID, Term.OLD_ILLNESS_TURNED_VOID, Term.NEW_ILLNESS_COMBINED),
        "lingers",
    ),
    Term.HEALER_UNFIT: "second opinion",
}
_PEOPLE: Final = {Term.SOURCE_ACTS: "helps", Term.FOE_ACTS: "hinders"}
_OF_ASPECT: Final = {
    1: {
        Aspect.MONTH: "month helps",
        Aspect.DAY: "days help",
        Aspect.SELF: "grows",
        Aspect.OTHERS: "company",
        Aspect.WORLD: "you are strong",
        Aspect.WHOLE: "holds together",
    },
    -1: {
        Aspect.MONTH: "month is slow",
        Aspect.DAY: "days are against",
        Aspect.SELF: "is not settled",
        Aspect.OTHERS: "resistance grows",
        Aspect.WORLD: "you are tired",
        Aspect.WHOLE: "falls apart",
    },
}
"""The role of a reason that weighs the other way than its kind does."""

_TIME: Final = frozenset(
    {"month helps", "days help", "month is slow", "month is against", "days are against", "is upset", "is stuck"}
)
_SELF: Final = frozenset(
    {
        *("in hand", "comes to you", "suits you", "you are strong", "relief", "noticed", "weighs on you", "two minds"),
        *("you give", "held too tightly", "haste", "you are undecided", "you are tired", "your worry", "unfinished"),
        *("heart elsewhere", "money leaks", "not noticed"),
    }
)
_SIDES: Final = frozenset(
    {
        *("company", "other is kind", "other is even", "other is weak", "other gains", "other is apart"),
        *("other is stronger", "other is undecided", "tempers", "goes to another", "help is held up"),
        *("resistance grows", "all together", "all at once"),
    }
)
ROLES: Final = frozenset(_FOR.values()) | frozenset(_AGAINST.values())
"""All roles but those of people, which are a verb and a relation (六亲): "helps 父母"."""
PEOPLE: Final = tuple(_PEOPLE.values())


def role(reason: Contribution, plate: Plate, sign: int) -> str:
    """The role of a reason that is told as one for (1) or against (-1) a matter."""
    if reason.term in _PEOPLE and reason.weight * sign >= 0:
        return f"{_PEOPLE[reason.term]} {plate.lines[reason.lines[0] - 1].relation}"
    known = (_FOR if sign > 0 else _AGAINST).get(reason.term)
    return known or _OF_ASPECT[sign][reason.term.aspect]


def is_of_asker(named: str) -> bool:
    """Whether a role is of the asker."""
    return named in _SELF


def is_of_other_side(named: str) -> bool:
    """Whether a role is of the other side."""
    return named.startswith("other ") or named in ("tempers", "goes to another")


def group(named: str) -> str:
    """What advice goes by: `people`, `time`, `self`, or the `course` of the matter."""
    if named in _TIME:
        return "time"
    if named in _SELF:
        return "self"
    return "people" if named in _SIDES or named.split()[0] in PEOPLE else "course"
