"""Relates a cast's two hexagrams and their lines, independent of the date.

Each of the 4,096 casts is computed once. Month and day are added in `relations`. Source:
`divination-rules.md` §2.9, default school 《增删卜易》.
"""

from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Final, NamedTuple

from liuyao.analysis_terms import Completion, PlateStatus
from liuyao.divination import Element, Relation
from liuyao.elements import BRANCH_ELEMENT, TRINES, combined, opposite
from liuyao.hexagrams import HEXAGRAMS, Hexagram, Kind, relation


@dataclass(frozen=True, slots=True)
class Trine:
    """A trine (三合): its element, its lines, the branch that no line brings (if any) and the source of that branch."""

    element: Element
    positions: tuple[int, ...]
    completion: Completion
    completing: str | None


class CastLine(NamedTuple):
    """One line of the original hexagram; the `changed_` fields are of a changing line alone. Positions are 1 – 6."""

    position: int
    branch: str
    element: Element
    relation: Relation
    is_changing: bool
    changed_branch: str | None = None
    changed_element: Element | None = None
    changed_relation: Relation | None = None
    """By the palace of the original hexagram (变卦六亲从本宫)."""


@dataclass(frozen=True, slots=True)
class Cast:
    """The facts that follow from the two hexagrams alone, without a date."""

    lines: tuple[CastLine, ...]
    kind: Kind | None
    changed_kind: Kind | None
    statuses: tuple[PlateStatus, ...]
    clashes: tuple[tuple[int, int], ...]
    combinations: tuple[tuple[int, int], ...]
    trines: tuple[Trine, ...]
    """Those complete without a date."""
    open_trines: tuple[Trine, ...]
    """Those of two changing lines, which day, month or a later time may complete."""


Branches = dict[int, str]
"""The branches of six lines by position, 1 – 6."""


@cache
def cast(code: str, changed_code: str) -> Cast:
    """Return the cast of two hexagrams by their codes, 初爻 first: the lines in which they differ are changing."""
    original, changed = HEXAGRAMS[code], HEXAGRAMS[changed_code]
    own, becomes = dict(enumerate(original.branches, 1)), dict(enumerate(changed.branches, 1))
    changing = [position for position in own if code[position - 1] != changed_code[position - 1]]
    pairs = list(combinations(own, 2))
    return Cast(
        lines=tuple(_line(original, changed, position, position in changing) for position in own),
        kind=original.kind,
        changed_kind=changed.kind if changing else None,
        statuses=_statuses(original, changed, changing),
        clashes=tuple((a, b) for a, b in pairs if opposite(own[a]) == own[b] and not {a, b}.isdisjoint(changing)),
        combinations=tuple((a, b) for a, b in pairs if combined(own[a]) == own[b] and {a, b}.issubset(changing)),
        trines=_trines(own, becomes, changing),
        open_trines=_open_trines(own, becomes, changing),
    )


def _line(original: Hexagram, changed: Hexagram, position: int, is_changing: bool) -> CastLine:
    place = position - 1
    branch = original.branches[place]
    line = CastLine(position, branch, BRANCH_ELEMENT[branch], original.relations[place], is_changing)
    if not is_changing:
        return line
    becomes = changed.branches[place]
    element = BRANCH_ELEMENT[becomes]
    of_palace = relation(original.palace.element, element)
    return line._replace(changed_branch=becomes, changed_element=element, changed_relation=of_palace)


_KIND_STATUS: Final = {
    Kind.CLASHING: PlateStatus.CLASHING,
    Kind.COMBINING: PlateStatus.COMBINING,
    Kind.WANDERING: PlateStatus.WANDERING,
    Kind.RETURNING: PlateStatus.RETURNING,
}

_PAIR_STATUS: Final = {
    (Kind.CLASHING, Kind.CLASHING): PlateStatus.CLASHING_TO_CLASHING,
    (Kind.CLASHING, Kind.COMBINING): PlateStatus.CLASHING_TO_COMBINING,
    (Kind.COMBINING, Kind.CLASHING): PlateStatus.COMBINING_TO_CLASHING,
    (Kind.COMBINING, Kind.COMBINING): PlateStatus.COMBINING_TO_COMBINING,
}

_MOVEMENT_STATUS: Final = {
    0: PlateStatus.ALL_REST,
    1: PlateStatus.ONE_MOVES,
    5: PlateStatus.ONE_RESTS,
    6: PlateStatus.ALL_MOVE,
}

_HALVES: Final = (
    (slice(0, 3), PlateStatus.INNER_ECHO, PlateStatus.INNER_REVERSAL),
    (slice(3, 6), PlateStatus.OUTER_ECHO, PlateStatus.OUTER_REVERSAL),
)


def _statuses(original: Hexagram, changed: Hexagram, changing: list[int]) -> tuple[PlateStatus, ...]:
    statuses = [_KIND_STATUS[original.kind]] if original.kind else []
    if changing and original.kind and changed.kind and (original.kind, changed.kind) in _PAIR_STATUS:
        statuses.append(_PAIR_STATUS[original.kind, changed.kind])
    for half, echo, reversal in _HALVES:
        own, becomes = original.branches[half], changed.branches[half]
        if own == becomes and original.code[half] != changed.code[half]:
            statuses.append(echo)
        elif tuple(opposite(branch) for branch in own) == becomes:
            statuses.append(reversal)
    if len(changing) in _MOVEMENT_STATUS:
        statuses.append(_MOVEMENT_STATUS[len(changing)])
    return tuple(statuses)


def _trines(own: Branches, becomes: Branches, changing: list[int]) -> tuple[Trine, ...]:
    found = [
        Trine(element, triple, Completion.LINES, None)
        for triple in combinations(own, 3)
        for trine, element in TRINES.items()
        if {own[position] for position in triple} == set(trine) and len(set(triple).intersection(changing)) >= 2
    ]
    found += [
        Trine(element, pair, Completion.CHANGE, None)
        for pair in _ENDS
        for trine, element in TRINES.items()
        if {*pair}.issubset(changing) and _own_and_changed(pair, own, becomes).issuperset(trine)
    ]
    return tuple(found)


def _open_trines(own: Branches, becomes: Branches, changing: list[int]) -> tuple[Trine, ...]:
    found = []
    for pair in combinations(changing, 2):
        present = {own[position] for position in pair}
        brought = _own_and_changed(pair, own, becomes) if pair in _ENDS else present
        for trine, element in TRINES.items():
            missing = set(trine) - present
            if len(missing) == 1 and missing.isdisjoint(own.values()) and missing.isdisjoint(brought):
                found.append(Trine(element, pair, Completion.AWAITED, missing.pop()))
    return tuple(found)


_ENDS: Final = ((1, 3), (4, 6))
"""The two lines of each trigram whose changed branches may complete a trine."""


def _own_and_changed(pair: tuple[int, int], own: Branches, becomes: Branches) -> set[str]:
    return {branches[position] for position in pair for branches in (own, becomes)}
