"""Derives what a response leaves out of a hexagram: its palace and its lines' stems. Source: 京房纳甲."""

from typing import Final, NamedTuple

TRIGRAMS: Final = {
    "111": "乾",
    "110": "兑",
    "101": "离",
    "100": "震",
    "011": "巽",
    "010": "坎",
    "001": "艮",
    "000": "坤",
}
"""By their lines, the lowest first; in the order of 先天八卦."""
_STEMS: Final = {
    "乾": "甲壬",
    "坤": "乙癸",
    "震": "庚庚",
    "巽": "辛辛",
    "坎": "戊戊",
    "离": "己己",
    "艮": "丙丙",
    "兑": "丁丁",
}
"""Of the lower and of the upper trigram."""
_CHANGES: Final[dict[str, tuple[int, ...]]] = {
    "八纯": (),
    "一世": (1,),
    "二世": (2,),
    "三世": (3,),
    "四世": (4,),
    "五世": (5,),
    "游魂": (4,),
    "归魂": (1, 2, 3),
}
"""The lines in which each differs from the one before."""


class Palace(NamedTuple):
    """The trigram of a palace, and the hexagram's place in it."""

    name: str
    generation: str


def stem(trigram: str, position: int) -> str:
    """Return the 纳甲 stem of a line from 1 to 6."""
    return _STEMS[trigram][position > 3]


def stems(code: str) -> list[str]:
    """Return the stems of a hexagram's six lines, the lowest first."""
    return [stem(TRIGRAMS[code[:3] if position <= 3 else code[3:]], position) for position in range(1, 7)]


def _palaces() -> dict[str, Palace]:
    """Return the eight hexagrams of every palace, by the lines that change one after another."""
    table = {}
    for lines, name in TRIGRAMS.items():
        code = lines * 2
        for generation, changing in _CHANGES.items():
            code = "".join("10"[int(line)] if place in changing else line for place, line in enumerate(code, 1))
            table[code] = Palace(name, generation)
    return table


PALACES: Final = _palaces()
"""By the code of a hexagram: its six lines, the lowest first."""
