"""Tabulates the 64 hexagrams (卦): palaces (宫), stems and branches (纳甲), relations (六亲) and hidden lines (伏神).

Three primary tables are written down: the trigrams with the start of their 纳甲, the generations of a palace, and the
names. Everything else follows from them at import. Nothing here knows of dates or of changing lines.
Source: `divination-rules.md` §2.1 – §2.4, §2.6 (京房纳甲 as in 《增删卜易》).
"""

from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Final

from liuyao.divination import Element, Relation
from liuyao.elements import BRANCH_ELEMENT, BRANCHES, combined, generates, opposite, overcomes

RELATIONS: Final[tuple[Relation, ...]] = ("父母", "兄弟", "子孙", "妻财", "官鬼")
"""六亲."""

_TRADITIONAL = str.maketrans(
    "泽风兑离为剥晋谦过归妹济涣讼恒随无颐蛊节丰师贲损渐复临壮观遁孙财龙陈",
    "澤風兌離為剝晉謙過歸妹濟渙訟恆隨無頤蠱節豐師賁損漸復臨壯觀遯孫財龍陳",
)


def traditional(term: str) -> str:
    """Return a term in Traditional Chinese: every character of the vocabulary that differs, e.g. 山火贲 → 山火賁."""
    return term.translate(_TRADITIONAL)


@dataclass(frozen=True, slots=True)
class Trigram:
    """One of the eight trigrams (八卦). `code` puts the lowest line first; `stems` and `branches` are its 纳甲, the
    first three as the inner (lower) trigram, the last three as the outer."""

    code: str
    name: str
    image: str
    element: Element
    stems: tuple[str, ...]
    branches: tuple[str, ...]


def _trigram(code: str, name: str, image: str, element: Element, stems: str, first_branch: str) -> Trigram:
    # 阳卦 have an odd number of yang lines and run forward through the branches, 阴卦 backward; the outer trigram
    # starts opposite the inner.
    step = 2 if code.count("1") % 2 else -2
    start = BRANCHES.index(first_branch)
    return Trigram(
        code=code,
        name=name,
        image=image,
        element=element,
        stems=tuple(stems[0] * 3 + stems[1] * 3),
        branches=tuple(BRANCHES[(start + step * line) % 12] for line in range(6)),
    )


TRIGRAMS: Final[dict[str, Trigram]] = {
    trigram.code: trigram
    for trigram in (
        # code, name, image, element, inner and outer stem, branch of the lowest line
        _trigram("111", "乾", "天", "金", "甲壬", "子"),
        _trigram("110", "兑", "泽", "金", "丁丁", "巳"),
        _trigram("101", "离", "火", "火", "己己", "卯"),
        _trigram("100", "震", "雷", "木", "庚庚", "子"),
        _trigram("011", "巽", "风", "木", "辛辛", "丑"),
        _trigram("010", "坎", "水", "水", "戊戊", "寅"),
        _trigram("001", "艮", "山", "土", "丙丙", "辰"),
        _trigram("000", "坤", "地", "土", "乙癸", "未"),
    )
}

# Row: upper trigram, column: lower, both in the order of TRIGRAMS.
_NAMES = (
    "乾 履 同人 无妄 姤 讼 遁 否",
    "夬 兑 革 随 大过 困 咸 萃",
    "大有 睽 离 噬嗑 鼎 未济 旅 晋",
    "大壮 归妹 丰 震 恒 解 小过 豫",
    "小畜 中孚 家人 益 巽 涣 渐 观",
    "需 节 既济 屯 井 坎 蹇 比",
    "大畜 损 贲 颐 蛊 蒙 艮 剥",
    "泰 临 明夷 复 升 师 谦 坤",
)

# Generation (世代), line of 世, and the lines flipped from the generation before: divination-rules.md §2.2.
_GENERATIONS: tuple[tuple[str, int, tuple[int, ...]], ...] = (
    ("八纯", 6, ()),
    ("一世", 1, (1,)),
    ("二世", 2, (2,)),
    ("三世", 3, (3,)),
    ("四世", 4, (4,)),
    ("五世", 5, (5,)),
    ("游魂", 4, (4,)),
    ("归魂", 3, (1, 2, 3)),
)


class Kind(StrEnum):
    """The special kinds of a hexagram by itself; no hexagram has two of them."""

    CLASHING = "六冲"
    COMBINING = "六合"
    WANDERING = "游魂"
    RETURNING = "归魂"


@dataclass(frozen=True, slots=True)
class HiddenLine:
    """A hidden line (伏神): the line of the palace's pure hexagram that bears a relation the hexagram lacks."""

    position: int
    stem: str
    branch: str
    relation: Relation


@dataclass(frozen=True, slots=True)
class Hexagram:
    """One of the 64. `code` puts 初爻 first, yang as `1`; tuples hold six values from 初爻; `world` 世 and `response`
    应 are positions 1 – 6; `relations` are by the hexagram's own palace."""

    code: str
    name: str
    name_hant: str
    upper: Trigram
    lower: Trigram
    palace: Trigram
    generation: str
    world: int
    response: int
    stems: tuple[str, ...]
    branches: tuple[str, ...]
    relations: tuple[Relation, ...]
    hidden: tuple[HiddenLine, ...]
    kind: Kind | None


@cache
def relation(palace: Element, element: Element) -> Relation:
    """Return the 六亲 of an element to a palace's (我): 同我兄弟, 我生子孙, 我克妻财, 克我官鬼, 生我父母."""
    if element == palace:
        return "兄弟"
    if generates(palace, element):
        return "子孙"
    if overcomes(palace, element):
        return "妻财"
    return "官鬼" if overcomes(element, palace) else "父母"


def flip(code: str, positions: tuple[int, ...]) -> str:
    """Return the code with the lines at `positions` (1 – 6) turned over."""
    return "".join("10"[int(line)] if place in positions else line for place, line in enumerate(code, 1))


def _stems(lower: Trigram, upper: Trigram) -> tuple[str, ...]:
    return lower.stems[:3] + upper.stems[3:]


def _branches(lower: Trigram, upper: Trigram) -> tuple[str, ...]:
    return lower.branches[:3] + upper.branches[3:]


def _relations(palace: Trigram, branches: tuple[str, ...]) -> tuple[Relation, ...]:
    return tuple(relation(palace.element, BRANCH_ELEMENT[branch]) for branch in branches)


def _hidden(palace: Trigram, relations: tuple[Relation, ...]) -> tuple[HiddenLine, ...]:
    pure = zip(
        range(1, 7),
        _stems(palace, palace),
        _branches(palace, palace),
        _relations(palace, _branches(palace, palace)),
        strict=True,
    )
    return tuple(HiddenLine(*line) for line in pure if line[3] not in relations)


def _kind(generation: str, branches: tuple[str, ...]) -> Kind | None:
    inner, outer = branches[:3], branches[3:]
    if all(opposite(a) == b for a, b in zip(inner, outer, strict=True)):
        return Kind.CLASHING
    if all(combined(a) == b for a, b in zip(inner, outer, strict=True)):
        return Kind.COMBINING
    return Kind(generation) if generation in (Kind.WANDERING, Kind.RETURNING) else None


def _name(lower: Trigram, upper: Trigram) -> str:
    order = list(TRIGRAMS)
    short = _NAMES[order.index(upper.code)].split()[order.index(lower.code)]
    return f"{short}为{upper.image}" if upper is lower else f"{upper.image}{lower.image}{short}"


def _palace(palace: Trigram) -> list[Hexagram]:
    hexagrams = []
    code = palace.code * 2
    for generation, world, flipped in _GENERATIONS:
        code = flip(code, flipped)
        lower, upper = TRIGRAMS[code[:3]], TRIGRAMS[code[3:]]
        name = _name(lower, upper)
        branches = _branches(lower, upper)
        relations = _relations(palace, branches)
        hexagrams.append(
            Hexagram(
                code=code,
                name=name,
                name_hant=traditional(name),
                upper=upper,
                lower=lower,
                palace=palace,
                generation=generation,
                world=world,
                response=(world + 2) % 6 + 1,
                stems=_stems(lower, upper),
                branches=branches,
                relations=relations,
                hidden=_hidden(palace, relations),
                kind=_kind(generation, branches),
            )
        )
    return hexagrams


HEXAGRAMS: Final[dict[str, Hexagram]] = {
    hexagram.code: hexagram for palace in TRIGRAMS.values() for hexagram in _palace(palace)
}
"""All 64 by code, in the order of the palaces."""
