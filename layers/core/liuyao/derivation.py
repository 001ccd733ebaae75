"""Derives the wire object from one cast, as a pure function (DIV-13 … DIV-25).

It combines `calendar`, `hexagrams`, `relations` and `analysis` and adds the six spirits (六神) and the
wire format. Source: `divination-rules.md` §1, §2.4 – §2.7.
"""

from functools import cache, partial
from typing import Final

from liuyao import analysis
from liuyao.calendar import CYCLE, VOIDS, DayChange, Pillars, pillars
from liuyao.divination import (
    Divination,
    Element,
    FushenInfo,
    Ganzhi,
    Relation,
    SeasonalStatus,
    SpecialMark,
    YaoInfo,
)
from liuyao.elements import BRANCH_ELEMENT, BRANCHES, GENERATION, opposite, seasonal_status
from liuyao.hexagrams import HEXAGRAMS, relation, traditional
from liuyao.payload import DivinationPayload
from liuyao.plain_cast import YaoType
from liuyao.relations import examine

SPIRITS: Final = {"龙": "青龙", "雀": "朱雀", "勾": "勾陈", "蛇": "螣蛇", "虎": "白虎", "玄": "玄武"}
"""六神, as the wire writes them and in full, in the order they rise through the lines from one to the next."""

_SPIRIT_ORDER: Final = tuple(SPIRITS)

# Of 初爻, by day stem: 甲乙 龙, 丙丁 雀, 戊 勾, 己 蛇, 庚辛 虎, 壬癸 玄.
_FIRST_SPIRIT: Final = (0, 0, 1, 1, 2, 3, 4, 4, 5, 5)

# The line before the change and after it.
_LINE_VALUES: Final[dict[YaoType, tuple[str, str]]] = {
    "少阳": ("1", "1"),
    "少阴": ("0", "0"),
    "老阳": ("1", "0"),
    "老阴": ("0", "1"),
}

_BRANCH_NAMES: Final = {branch: branch + element for branch, element in BRANCH_ELEMENT.items()}
_OPPOSITE_NAMES: Final = {branch: _BRANCH_NAMES[opposite(branch)] for branch in BRANCHES}
_STATUSES: Final[dict[str, dict[Element, SeasonalStatus]]] = {
    month: {element: seasonal_status(element, month) for element in GENERATION} for month in BRANCHES
}


def derive(payload: DivinationPayload, day_change: DayChange = DayChange.ELEVEN_PM) -> Divination:
    """Derive the hexagrams, pillars and analysis of one cast.

    Depends on the payload alone: not on the clock, the zone or the locale of the machine.
    """
    values = [_LINE_VALUES[line] for line in payload.yao_lines]
    code, changed_code = "".join([before for before, _ in values]), "".join([after for _, after in values])
    hexagram, target = HEXAGRAMS[code], HEXAGRAMS[changed_code]
    moment = payload.divination_time_iso
    four = pillars(moment, day_change)
    ganzhi = ganzhi_of(four)
    facts = examine(code, changed_code, ganzhi)
    changing = [before != after for before, after in values]
    palace, first_spirit = hexagram.palace.element, _FIRST_SPIRIT[four.day % 10]
    changes = code != changed_code
    lines = _pick(changing, *_lines(code, palace, first_spirit, True))
    target_lines = _pick(changing, *_lines(changed_code, palace, first_spirit, False)) if changes else ()
    return Divination.of_valid(  # validation would take longer than the rest; a test makes up for it
        question=payload.question,
        question_type=payload.question_type,
        divination_method=payload.divination_method,
        divination_time=f"{moment.year}年{moment.month:02}月{moment.day:02}日 {moment.hour:02}:{moment.minute:02}",
        binary_code=code,
        changed_binary_code=changed_code,
        gua_name=hexagram.name,
        gua_name_hant=hexagram.name_hant,
        upper_name=hexagram.upper.name,
        lower_name=hexagram.lower.name,
        target_gua_name=target.name,
        target_gua_name_hant=target.name_hant,
        world_position=hexagram.world,
        response_position=hexagram.response,
        has_changing_yao=changes,
        ganzhi=ganzhi,
        wu_xing_statuses=dict(_STATUSES[ganzhi.yue_jian[0]]),
        yao_info_list=lines,
        target_yao_info_list=target_lines,
        fushen_positions=tuple([line.position for line in hexagram.hidden]),
        fushen_info_list=_hidden_lines(code),
        special_status=analysis.special_status(facts),
        interactions=analysis.interactions(facts),
        time_effect=analysis.time_effect(facts),
        ri_chen_zhang_sheng=analysis.day_stages(hexagram.branches, ganzhi.ri_chen[0]),
    )


def ganzhi_of(four: Pillars) -> Ganzhi:
    """Return the pillars as the wire writes them, with what follows from them."""
    year, month, day, hour = four
    month_branch, day_branch = CYCLE[month][1], CYCLE[day][1]
    return Ganzhi.of_valid(
        year_gan_zhi=CYCLE[year],
        month_gan_zhi=CYCLE[month],
        day_gan_zhi=CYCLE[day],
        time_gan_zhi=CYCLE[hour],
        year_kong_wang=VOIDS[year],
        month_kong_wang=VOIDS[month],
        day_kong_wang=VOIDS[day],
        time_kong_wang=VOIDS[hour],
        yue_jian=_BRANCH_NAMES[month_branch],
        ri_chen=_BRANCH_NAMES[day_branch],
        yue_po=_OPPOSITE_NAMES[month_branch],
        ri_chong=_OPPOSITE_NAMES[day_branch],
    )


Six = tuple[YaoInfo, ...]


def _pick(changing: list[bool], resting_lines: Six, changing_lines: Six) -> Six:
    pairs = zip(changing, resting_lines, changing_lines, strict=True)
    return tuple([moving if changes else resting for changes, resting, moving in pairs])


# The lines of a hexagram take few forms: each wire object is made, and validated, once.


@cache
def _lines(code: str, palace: Element, first_spirit: int, marked: bool) -> tuple[Six, Six]:
    """Return the six lines of a hexagram, as they are at rest and as they are changing.

    Relations are by `palace`, for both hexagrams the original's (变卦六亲从本宫); only the original's lines are marked.
    """
    hexagram = HEXAGRAMS[code]
    marks: dict[int, SpecialMark] = {hexagram.world: "世", hexagram.response: "应"} if marked else {}
    makers = [
        partial(
            _line,
            position,
            _SPIRIT_ORDER[(first_spirit + position - 1) % 6],
            relation(palace, BRANCH_ELEMENT[branch]),
            branch,
            yang == "1",
            marks.get(position, ""),
        )
        for position, branch, yang in zip(range(1, 7), hexagram.branches, code, strict=True)
    ]
    return tuple(make(False) for make in makers), tuple(make(True) for make in makers)


@cache
def _line(
    position: int,
    spirit: str,
    relation_name: Relation,
    branch: str,
    is_yang: bool,
    mark: SpecialMark,
    is_changing: bool,
) -> YaoInfo:
    return YaoInfo(
        position=position,
        spirit_name=spirit,
        spirit_name_hant=traditional(spirit),
        relation_name=relation_name,
        relation_name_hant=traditional(relation_name),
        tigan_name=branch,
        element_name=BRANCH_ELEMENT[branch],
        is_yang=is_yang,
        is_changing=is_changing,
        special_mark=mark,
    )


@cache
def _hidden_lines(code: str) -> tuple[FushenInfo, ...]:
    return tuple(
        FushenInfo(
            position=line.position,
            relation_name=line.relation,
            relation_name_hant=traditional(line.relation),
            tigan_name=line.branch,
            element_name=BRANCH_ELEMENT[line.branch],
        )
        for line in HEXAGRAMS[code].hidden
    )
