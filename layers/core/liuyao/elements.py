"""Tabulates the five elements (五行) and the relations of the twelve branches (地支).

Source: `divination-rules.md` §2.1, §2.4, §2.7 – §2.9. Nothing here knows of hexagrams or dates.
"""

from typing import Final, cast

from liuyao.divination import Element, SeasonalStatus

STEMS: Final = "甲乙丙丁戊己庚辛壬癸"
BRANCHES: Final = "子丑寅卯辰巳午未申酉戌亥"

# In the order each element generates (生) the next; overcoming (克) skips one.
GENERATION: Final[tuple[Element, ...]] = ("木", "火", "土", "金", "水")

BRANCH_ELEMENT: Final[dict[str, Element]] = {
    branch: cast(Element, element) for branch, element in zip(BRANCHES, "水土木木土火火土金金土水", strict=True)
}

COMBINATIONS: Final = ("子丑", "寅亥", "卯戌", "辰酉", "巳申", "午未")
"""六合."""

TRINES: Final[dict[str, Element]] = {"申子辰": "水", "亥卯未": "木", "寅午戌": "火", "巳酉丑": "金"}
"""三合 and the element each one forms."""

ADVANCES: Final = ("寅卯", "申酉", "丑辰", "未戌")
"""进神; the reverse of each is 退神. No line can change by the other classical pairs (亥子 巳午 辰未 戌丑)."""

STAGES: Final = ("长生", "沐浴", "冠带", "临官", "帝旺", "衰", "病", "死", "墓", "绝", "胎", "养")
"""十二长生."""

# Earth follows water (水土同长生于申): 增删卜易 生旺墓绝章.
_BIRTH_BRANCH: Final[dict[Element, str]] = {"木": "亥", "火": "寅", "金": "巳", "水": "申", "土": "申"}

_COMBINED: Final = {pair[a]: pair[1 - a] for pair in COMBINATIONS for a in (0, 1)}


def generates(source: Element, target: Element) -> bool:
    """Return whether `source` generates (生) `target`."""
    return GENERATION[(GENERATION.index(source) + 1) % 5] == target


def overcomes(source: Element, target: Element) -> bool:
    """Return whether `source` overcomes (克) `target`."""
    return GENERATION[(GENERATION.index(source) + 2) % 5] == target


def opposite(branch: str) -> str:
    """Return the branch six places on, with which it clashes (六冲)."""
    return BRANCHES[(BRANCHES.index(branch) + 6) % 12]


def combined(branch: str) -> str:
    """Return the branch with which it combines (六合)."""
    return _COMBINED[branch]


def seasonal_status(element: Element, month_branch: str) -> SeasonalStatus:
    """Return the 旺相休囚死 of an element in the month of a branch (divination-rules.md §2.8)."""
    month = BRANCH_ELEMENT[month_branch]
    distance = (GENERATION.index(element) - GENERATION.index(month)) % 5
    # 同我旺, 我生相, 我克死, 克我囚, 生我休, counted from the month.
    return cast(SeasonalStatus, "旺相死囚休"[distance])


def stage(element: Element, branch: str) -> str:
    """Return the stage of the twelve (长生 … 养) of an element at a branch."""
    return STAGES[(BRANCHES.index(branch) - BRANCHES.index(_BIRTH_BRANCH[element])) % 12]
