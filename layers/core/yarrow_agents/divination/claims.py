"""Checks every line, branch, relation, spirit, date, state and hexagram that a text names against the plate.

Adjacent names, as in 五爻妻财卯木旬空, are one claim; it holds if one item of the plate has them all. What month and
day do to a line is checked by `influence_claims`; other claims, such as which line acts on which, are not.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from liuyao import Divination
from liuyao.analysis import LINE_NAMES
from liuyao.derivation import SPIRITS
from liuyao.divination import Element
from liuyao.elements import BRANCH_ELEMENT, generates, overcomes
from liuyao.reading.focus import Focus
from liuyao.reading.plate import Place, Plate, lay_out
from yarrow_agents.divination.english_claims import named
from yarrow_agents.divination.influence_claims import InfluenceClaims
from yarrow_agents.divination.vocabulary import (
    BETWEEN,
    HEXAGRAM,
    PALACE,
    STATE,
    TOKEN,
    folded,
    hexagram_of,
    word_of,
)

_SAYING_LITTLE: Final = frozenset({"condition", "role", "side", "time", "relation", "spirit"})
"""Names that claim nothing alone: a text may mention 用神 or explain 旬空."""

_ENDING: Final = frozenset({"condition", "pillar", "date"})

_SIDES: Final = re.compile("应爻[^，；。\\n]{0,14}世爻(?:相合|相冲|比和)")
_VERBS: Final = frozenset("生克冲合扶助帮伤护养")

_UNITS: Final = "年月日时"


class Claims:
    """The allowed claims of one divination. `facts` are the runner's own texts about it, in any language."""

    def __init__(self, divination: Divination, focuses: Iterable[Focus], facts: str) -> None:
        focuses = tuple(focuses)
        plain = folded(facts)
        ganzhi = divination.ganzhi
        pillars = (ganzhi.year_gan_zhi, ganzhi.month_gan_zhi, ganzhi.day_gan_zhi, ganzhi.time_gan_zhi)
        tokens = [(match.lastgroup, word_of(match[0])) for match in TOKEN.finditer(plain)]
        dated = {word[0] for kind, word in tokens if kind == "date"}
        self._places = [frozenset(words) for words in _places(divination, lay_out(divination), focuses)]
        self._dates = {branch + unit for branch in dated for unit in _UNITS}
        self._dates |= {pillar[1] + unit for pillar, unit in zip(pillars, _UNITS, strict=True)}
        self._pillars = {*pillars, *(word for kind, word in tokens if kind == "pillar")}
        self._hexagrams = {divination.gua_name, divination.target_gua_name}
        sides = frozenset(plain[at.start() : at.end()][-2:] for at in _SIDES.finditer(plain))
        self._facts = "\n".join((plain, *(f"世应{side}" for side in sides)))
        self._influences = InfluenceClaims(divination, focuses)

    def untrue(self, text: str) -> list[str]:
        """Return the untrue claims of a text, quoted in simplified characters."""
        plain = folded(text)
        found = [match[0] for match in HEXAGRAM.finditer(plain) if hexagram_of(match) not in self._hexagrams]
        found += [name for name in (*STATE.findall(plain), *PALACE.findall(plain)) if name not in self._facts]
        found += [plain[run[0].start() : run[-1].end()] for run in _runs(plain) if not self._holds(run)]
        found += [quote for quote, names in named(text) if not any(names <= place for place in self._places)]
        found += self._influences.untrue(text)
        return list(dict.fromkeys(found))

    def _holds(self, run: list[re.Match[str]]) -> bool:
        words = {word_of(match[0]) for match in run}
        match run[0].lastgroup:
            case "date":
                return words <= self._dates
            case "pillar":
                return words <= self._pillars
            case kind if len(run) == 1 and kind in _SAYING_LITTLE:
                return True
        return any(words <= place for place in self._places)


def _runs(text: str) -> Iterator[list[re.Match[str]]]:
    """Yield the names of a text, grouped by claim."""
    run: list[re.Match[str]] = []
    for match in TOKEN.finditer(text):
        if run and not _goes_on(run, match, text[run[-1].end() : match.start()]):
            yield run
            run = []
        run.append(match)
    if run:
        yield run


def _goes_on(run: list[re.Match[str]], match: re.Match[str], between: str) -> bool:
    kinds = [match.lastgroup for match in run]
    last, kind = kinds[-1], match.lastgroup
    if last in _ENDING or kind in ("pillar", "date", "time") or not BETWEEN.fullmatch(between):
        return False
    if last == "role" and "的" in between and run[-1].string[run[-1].start() - 1 : run[-1].start()] in _VERBS:
        return False  # 克用神的是二爻寅木
    if last == "time":  # 月建卯木, but not 临月建的五爻
        return kind == "branch" and "的" not in between
    return kind == "role" or kind not in kinds


def _places(divination: Divination, plate: Plate, focuses: tuple[Focus, ...]) -> Iterator[set[str]]:
    """Yield all true names of every item that names can refer to."""
    hidden_under = {place.position for place in plate.hidden}
    for place, info in zip(plate.lines, divination.yao_info_list, strict=True):
        words = _of_place(place, focuses) | {SPIRITS[info.spirit_name]}
        words |= {"世爻"} if place.position == divination.world_position else set()
        words |= {"应爻"} if place.position == divination.response_position else set()
        words |= {"飞神"} if place.position in hidden_under else set()
        words |= {"动爻"} if place.changes else set()
        words |= {"发动"} if place.acts else set()
        if place.line:
            words |= {*place.line.effects, *place.line.changes}
        yield words
    for place in plate.hidden:
        yield _of_place(place, focuses) | {"伏神"}
    for info in divination.target_yao_info_list:
        if info.is_changing:  # the other lines of the changed hexagram are not read
            yield {"变爻", info.relation_name, *_of_branch(info.tigan_name), *_by_time(info.tigan_name, divination)}
    ganzhi = divination.ganzhi
    for name, there in (("月建", ganzhi.yue_jian), ("日辰", ganzhi.ri_chen), ("月破", ganzhi.yue_po)):
        yield {name, *_of_branch(there[0])}
    yield {"日冲", *_of_branch(ganzhi.ri_chong[0])}


def _of_place(place: Place, focuses: tuple[Focus, ...]) -> set[str]:
    words = {LINE_NAMES[place.position], place.relation, *_of_branch(place.branch)}
    words |= {name for focus in focuses for name in _roles(place, focus)}
    time = place.time
    truths = (
        ("旬空", time.void),
        ("月破", time.month_broken),
        ("临月建", time.on_month),
        ("临日辰", time.on_day),
    )
    return words | {name for name, holds in truths if holds}


def _roles(place: Place, focus: Focus) -> Iterator[str]:
    element, own = focus.at.element, place.element
    if (place.position, place.branch) == (focus.at.position, focus.at.branch):
        yield "用神"
    if generates(own, element):
        yield "元神"
    if overcomes(own, element):
        yield "忌神"
    if overcomes(element, own):
        yield "仇神"


def _of_branch(branch: str) -> tuple[str, str]:
    element: Element = BRANCH_ELEMENT[branch]
    return branch, branch + element


def _by_time(branch: str, divination: Divination) -> set[str]:
    words = {"旬空"} if branch in divination.ganzhi.day_kong_wang else set()
    return words | ({"月破"} if branch == divination.ganzhi.yue_po[0] else set())
