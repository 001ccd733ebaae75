"""Checks what a text says that month and day do to a line: whether they help it, or overcome it.

A clause that names month or day, a line and a verb of either kind holds if one such pair of the plate is so related, in
either direction (生 is also what a line does to the day that drains it).
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from liuyao import Divination
from liuyao.divination import Element
from liuyao.elements import BRANCH_ELEMENT, generates, overcomes
from liuyao.reading.focus import Focus
from liuyao.reading.plate import Plate, lay_out
from yarrow_agents.divination.vocabulary import folded

_CLAUSE: Final = re.compile(r"[，；。：！？,;:!?\n]|\.(?=\s|$)")
_MONTH: Final = re.compile(r"月[建令]|当月|.月|\bmonth\b|\bseason\b", re.IGNORECASE)
_DAY: Final = re.compile(r"日辰|当日|[子丑寅卯辰巳午未申酉戌亥]日|\bthe day\b", re.IGNORECASE)
_HELPS: Final = re.compile(
    r"(?<![长長])生(?!克)|扶|助|帮|撑腰|\b(?:feeds?|fed|supports?|strengthens?|nourish\w*|helps?|backs?)\b",
    re.IGNORECASE,
)
_HARMS: Final = re.compile(r"(?<!生)克|\b(?:overcomes?|overcome|weakens?|harms?|controls?)\b", re.IGNORECASE)
_JOINED: Final = re.compile(r"(?:月[建令]|日辰)[木火土金水]?(?:和|与|及|跟|、)[^，]{0,6}?(?:[都皆]|一起|同时)")
"""Month or day and a line act together, on another line."""
_NOT: Final = re.compile(
    r"不|没|未(?!日|月|土)|无|非|别|难|若|\b(?:not|no|never|neither|nor|without|cannot|little|if)\b", re.IGNORECASE
)


class InfluenceClaims:
    """The true claims about month and day on one plate."""

    def __init__(self, divination: Divination, focuses: Iterable[Focus]) -> None:
        plate: Plate = lay_out(divination)
        self._month: Element = BRANCH_ELEMENT[plate.month]
        self._day: Element = BRANCH_ELEMENT[plate.day]
        self._lines: dict[str, set[Element]] = {"世爻": {plate.world.element}, "应爻": {plate.response.element}}
        for focus in focuses:
            self._lines.setdefault("用神", set()).add(focus.at.element)
        for place in (*plate.lines, *plate.hidden):
            self._lines.setdefault(place.relation, set()).add(place.element)
            self._lines.setdefault(place.branch + place.element, set()).add(place.element)

    def untrue(self, text: str) -> Iterator[str]:
        """Yield the untrue clauses, folded."""
        for clause in _CLAUSE.split(folded(text)):
            named = {element for name, elements in self._lines.items() if name in clause for element in elements}
            if not named or _NOT.search(clause) or _JOINED.search(clause):
                continue
            times = [self._month] if _MONTH.search(clause) else []
            times += [self._day] if _DAY.search(clause) else []
            helps, harms = _HELPS.search(clause), _HARMS.search(clause)
            if not times or bool(helps) == bool(harms):
                continue
            holds = _helped if helps else _harmed
            if not any(holds(time, element) for time in times for element in named):
                yield clause.strip()


def _helped(time: Element, element: Element) -> bool:
    return time == element or generates(time, element) or generates(element, time)


def _harmed(time: Element, element: Element) -> bool:
    return overcomes(time, element) or overcomes(element, time)
