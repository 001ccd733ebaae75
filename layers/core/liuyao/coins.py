"""Converts three coins into a line, for both casting flows (DIV-09, DIV-10).

Source: `divination-run.md`, coin-face rules; 《增删卜易》「一背为单、两背为拆、三背为重、三字为交」.
"""

from typing import Final

from liuyao.plain_cast import YaoType

_BY_HUA_COUNT: Final[tuple[YaoType, ...]] = ("老阴", "少阳", "少阴", "老阳")


def yao_of_hua(hua_count: int) -> YaoType:
    """Return the line of a throw in which this many coins show the flower side (花, 背). ValueError outside 0 – 3."""
    if not 0 <= hua_count <= 3:
        raise ValueError("three coins show 0 to 3 of a side")
    return _BY_HUA_COUNT[hua_count]


def yao_of_zi(zi_count: int) -> YaoType:
    """Return the line of a throw in which this many coins show the character side (字). ValueError outside 0 – 3."""
    return yao_of_hua(3 - zi_count)
