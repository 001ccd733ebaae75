"""Which decisive rules a matter has, in the order they are tried."""

from collections.abc import Iterator
from typing import Final

from liuyao.reading.contributions import Contribution, Term
from liuyao.reading.decisive import illness, oneself, pursuits, travel, union, weather
from liuyao.reading.decisive.scene import Rule, Scene

_GENERAL: Final[tuple[Rule, ...]] = (
    oneself.world_turns_ghost,
    oneself.ghost_relieved,
    oneself.overcome_in_return,
    oneself.buried_with_ghost,
)
_UNION: Final[tuple[Rule, ...]] = (
    union.parts,
    union.joins_again,
    union.held_together,
    oneself.world_turns_focus,
    union.spouse_denied,
    oneself.advances,
    oneself.retreats,
)
_MONEY: Final[tuple[Rule, ...]] = (
    union.joins_again,
    union.held_together,
    pursuits.goes_to_another,
    oneself.world_turns_focus,
    oneself.world_turns_ghost,
    pursuits.life_scattered,
    pursuits.rivals_hold,
    oneself.overcome_in_return,
    oneself.advances,
    oneself.retreats,
)

_TO_GET: Final[tuple[Rule, ...]] = (
    union.joins_again,
    union.held_together,
    oneself.world_turns_focus,
)
_OTHER_SIDE: Final[tuple[Rule, ...]] = (
    union.parts,
    union.joins_again,
    union.held_together,
    oneself.world_turns_ghost,
)

_RULES: Final[dict[str, tuple[Rule, ...]]] = {
    "rain": (weather.rain,),
    "fair": (weather.fair,),
    "health": (
        illness.clashed_or_void,
        illness.healer_unfit,
        oneself.focus_turns_ghost,
        illness.child_from_ghost,
        oneself.overcome_in_return,
        oneself.buried_with_ghost,
        oneself.foe_advances,
        illness.three_punishments,
        oneself.ghost_relieved,
        illness.offspring_heals,
    ),
    "children": (oneself.focus_turns_ghost, oneself.overcome_in_return),
    "pregnancy": (oneself.focus_turns_ghost, oneself.overcome_in_return),
    "pets": (oneself.focus_turns_ghost, oneself.overcome_in_return),
    "career": (
        union.joins_again,
        union.held_together,
        pursuits.goes_to_another,
        pursuits.world_ruined,
        pursuits.offspring_holds,
        oneself.world_turns_focus,
        oneself.world_overcome_in_return,
        pursuits.life_scattered,
        oneself.source_ruined,
        oneself.overcome_in_return,
        oneself.advances,
        oneself.retreats,
        pursuits.rank_with_world,
    ),
    "study": (
        union.joins_again,
        union.held_together,
        pursuits.goes_to_another,
        pursuits.world_ruined,
        pursuits.offspring_holds,
        pursuits.rank_in_trine,
        pursuits.papers_hurt,
        pursuits.rank_with_world,
        pursuits.rank_hurt,
        oneself.world_overcome_in_return,
    ),
    "wealth": (*_MONEY, union.scatters),
    "debt": _MONEY,
    "love": _UNION,
    "partner": _OTHER_SIDE,
    "return": (travel.turns_back, travel.comes_by_change, oneself.overcome_in_return, union.held_together),
    "journey": (travel.traveller_tied, *_GENERAL),
    "lawsuit": (union.dispute_dissolves, *_GENERAL),
    "general": (union.joins_again, pursuits.life_scattered, *_GENERAL),
    "documents": _TO_GET,
    "permit": _TO_GET,
    "dwelling": _TO_GET,
    "lost": (oneself.world_turns_focus, union.held_together),
    "dream": _GENERAL,
    "date": _GENERAL,
}

_SCATTERING: Final = (Term.CLASHING, Term.TURNS_CLASHING, Term.CLASHING_TO_CLASHING, Term.COMBINING_TO_CLASHING)
_VOIDS: Final = (Term.VOID, Term.VOID_FILLED, Term.VOID_MOVING, Term.VOID_STRONG)

SUPERSEDED: Final[dict[Term, tuple[Term, ...]]] = {
    Term.DISPUTE_DISSOLVES: _SCATTERING,
    Term.NEW_ILLNESS_CLASHED: (*_SCATTERING, Term.CLASHING_TO_COMBINING),
    Term.OLD_ILLNESS_CLASHED: (*_SCATTERING, Term.CLASHING_TO_COMBINING),
    Term.LIFE_SCATTERED: _SCATTERING,
    Term.NEW_ILLNESS_VOID: _VOIDS,
    Term.OLD_ILLNESS_VOID: _VOIDS,
    Term.NEW_ILLNESS_TURNED_VOID: (Term.TURNED_VOID,),
    Term.OLD_ILLNESS_TURNED_VOID: (Term.TURNED_VOID,),
    Term.GHOST_RELIEVED: (
        *(Term.HELD_ILL, Term.FOE_ACTS, Term.TRINE_OVERCOMES),
        *(Term.TURNED_OVERCOMES, Term.WORLD_TURNED_ON),
    ),
    Term.CLASH_HELD: _SCATTERING,
    Term.GOES_TO_ANOTHER: (Term.TRINE_FEEDS_RESPONSE,),
    Term.OFFSPRING_HEALS: (Term.HELD_WELL,),
    Term.OFFSPRING_HOLDS: (Term.HELD_ILL,),
    Term.RIVALS_HOLD: (Term.HELD_ILL,),
    Term.WORLD_RUINED: (Term.WORLD_BROKEN,),
    Term.WORLD_TURNS_FOCUS: (Term.WORLD_TURNED_ON, Term.WORLD_FED_IN_RETURN),
    Term.WORLD_TURNS_GHOST: (Term.WORLD_TURNED_ON,),
    Term.FOE_ADVANCES: (Term.GREEDY,),
    Term.TURNS_HOME: (Term.RETREATS,),
    Term.GOES_ON: (Term.ADVANCES,),
}
"""Reasons of the sum that a decisive one says better, or takes back."""


def decide(scene: Scene) -> Contribution | None:
    """The contribution that decides the judgement before its sum, if any does."""
    return next(deciding(scene), None)


def deciding(scene: Scene) -> Iterator[Contribution]:
    """What each rule of the matter that holds says, in order: the first decides."""
    # 应 as the 用神 is somebody to deal with, whatever the matter: a teacher, a guest.
    with_another = scene.inquiry.focus == "应爻" and not scene.inquiry.matter.overcoming_brings
    for rule in _OTHER_SIDE if with_another else _RULES.get(scene.inquiry.matter.key, ()):
        if found := rule(scene):
            yield found
