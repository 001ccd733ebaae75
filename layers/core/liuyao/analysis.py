"""Renders the facts of a cast as the four lists of analysis of the wire object (DIV-25).

Every entry names its line or lines (初爻 … 上爻) and one term of `analysis_terms`; entries run from 初爻 up. No rule is
decided here: that is `relations`.
"""

from functools import cache
from operator import itemgetter
from typing import Final

from liuyao.analysis_terms import (
    Change,
    Completion,
    DayClash,
    DayCombination,
    Interaction,
    PlateStatus,
    TimeEffect,
)
from liuyao.casts import Trine
from liuyao.elements import BRANCH_ELEMENT, stage
from liuyao.relations import PlateFacts

LINE_NAMES: Final = {1: "初爻", 2: "二爻", 3: "三爻", 4: "四爻", 5: "五爻", 6: "上爻"}


# Made once: a new text costs its encoding again when the wire object is validated.
_ENTRIES: Final = {
    (position, term): name + term
    for position, name in LINE_NAMES.items()
    for terms in (Change, TimeEffect, DayCombination, DayClash)
    for term in terms
}


def special_status(facts: PlateFacts) -> tuple[str, ...]:
    """Return specialStatus, e.g. `六冲卦`, `内卦反吟`, `三爻独发`."""
    return tuple([_status(status, facts) for status in facts.statuses])


def interactions(facts: PlateFacts) -> tuple[str, ...]:
    """Return interactions, e.g. `三爻化进神`, `二爻与五爻六冲`, `初爻与三爻三合水局虚申待用`; the lowest line first."""
    entries = [
        (cast.position, _ENTRIES[cast.position, change]) for cast, _, changes in facts.lines for change in changes
    ]
    entries += [(pair[0], _pair(pair, Interaction.CLASH)) for pair in facts.clashes]
    entries += [(pair[0], _pair(pair, Interaction.COMBINATION)) for pair in facts.combinations]
    entries += [(trine.positions[0], _trine(trine)) for trine in facts.trines]
    entries.sort(key=itemgetter(0))
    return tuple([entry for _, entry in entries])


def time_effect(facts: PlateFacts) -> tuple[str, ...]:
    """Return timeEffect, e.g. `初爻月破`, `四爻暗动`, `上爻旬空`."""
    return tuple([_ENTRIES[cast.position, effect] for cast, date, _ in facts.lines for effect in date.effects])


@cache
def day_stages(branches: tuple[str, ...], day_branch: str) -> tuple[str, ...]:
    """Return riChenZhangSheng, the stage (十二长生) of each line's element at the day's branch: `初爻卯木墓于未`."""
    elements = [BRANCH_ELEMENT[branch] for branch in branches]
    return tuple(
        f"{name}{branch}{element}{stage(element, day_branch)}于{day_branch}"
        for name, branch, element in zip(LINE_NAMES.values(), branches, elements, strict=True)
    )


@cache
def _names(*positions: int) -> str:
    """Join the names of lines: `初爻`, `初爻与三爻`, `初爻、三爻与五爻`."""
    *others, last = (LINE_NAMES[position] for position in positions)
    return f"{'、'.join(others)}与{last}" if others else last


@cache
def _pair(pair: tuple[int, int], interaction: Interaction) -> str:
    return _names(*pair) + interaction


@cache
def _trine(trine: Trine) -> str:
    formed = f"{Interaction.TRINE}{trine.element}局"
    names = _names(*trine.positions)
    match trine.completion:
        case Completion.LINES:
            return names + formed
        case Completion.CHANGE:
            return f"{names}{Completion.CHANGE}{formed}"
        case Completion.DAY | Completion.MONTH:
            return f"{names}会{trine.completion}{trine.completing}{formed}"
        case Completion.AWAITED:
            return f"{names}{formed}虚{trine.completing}{Completion.AWAITED}"


def _status(status: PlateStatus, facts: PlateFacts) -> str:
    match status:
        case PlateStatus.ONE_MOVES | PlateStatus.ONE_RESTS:
            moves = status is PlateStatus.ONE_MOVES
            return _names(next(line.position for line in facts.lines if line.is_changing is moves)) + status
        case _:
            return status.value
