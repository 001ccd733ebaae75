"""Draws a divination as a plate (排盘) for a terminal in the traditional layout, 上爻 on top.

Input is the wire object, fresh or stored. Columns align in terminals that give a Chinese character two cells.
"""

from collections.abc import Callable, Iterable
from typing import Final
from unicodedata import east_asian_width

from liuyao.derivation import SPIRITS
from liuyao.divination import Divination, YaoInfo
from liuyao.elements import BRANCH_ELEMENT
from liuyao.hexagrams import HEXAGRAMS, Hexagram
from liuyao.quotation import on_one_line

_GAP: Final = "   "


def draw(divination: Divination, spell: Callable[[str], str] = str) -> str:
    """Return the whole plate, lines parted by newlines, without one at the end. `spell` writes the canonical terms."""
    lines = [*_heading(divination), "", *_hexagrams(divination), *_notes(divination)]
    question = lines[0].replace("占问", spell("占问"), 1)  # the rest of it is the user's
    return "\n".join(line.rstrip() for line in (question, *map(spell, lines[1:])))


def _heading(divination: Divination) -> Iterable[str]:
    ganzhi = divination.ganzhi
    pillars = (ganzhi.year_gan_zhi, ganzhi.month_gan_zhi, ganzhi.day_gan_zhi, ganzhi.time_gan_zhi)
    voids = (ganzhi.year_kong_wang, ganzhi.month_kong_wang, ganzhi.day_kong_wang, ganzhi.time_kong_wang)
    yield f"占问  {on_one_line(divination.question)}（{on_one_line(divination.question_type)}）"
    yield f"时间  {divination.divination_time}  {divination.divination_method}"
    yield "四柱  " + _GAP.join(pillar + unit for pillar, unit in zip(pillars, "年月日时", strict=True))
    yield "旬空  " + _GAP.join(_pad(void, 6) for void in voids)
    yield f"月建  {ganzhi.yue_jian}  月破 {ganzhi.yue_po}"
    yield f"日辰  {ganzhi.ri_chen}  日冲 {ganzhi.ri_chong}"


def _hexagrams(divination: Divination) -> Iterable[str]:
    original, changed = HEXAGRAMS[divination.binary_code], HEXAGRAMS[divination.changed_binary_code]
    blocks = [["六神", *(SPIRITS[line.spirit_name] for line in reversed(divination.yao_info_list))]]
    if original.hidden:
        blocks.append(["伏神", *_hidden(original, divination)])
    blocks.append([_title("本卦", original), *_lines(original, divination.yao_info_list, divination)])
    if divination.has_changing_yao:
        blocks.append([_title("变卦", changed), *_lines(changed, divination.target_yao_info_list, divination)])
    widths = [max(map(_width, block)) for block in blocks]
    for row in zip(*blocks, strict=True):
        yield _GAP.join(_pad(cell, width) for cell, width in zip(row, widths, strict=True))


def _title(which: str, hexagram: Hexagram) -> str:
    return f"{which} {hexagram.name}（{hexagram.palace.name}宫{hexagram.generation}）"


def _hidden(original: Hexagram, divination: Divination) -> Iterable[str]:
    hidden = {line.position: _name(line.relation, line.stem, line.branch, divination) for line in original.hidden}
    return (hidden.get(position, "") for position in range(6, 0, -1))


def _lines(hexagram: Hexagram, lines: tuple[YaoInfo, ...], divination: Divination) -> Iterable[str]:
    for line, stem in zip(reversed(lines), reversed(hexagram.stems), strict=True):
        name = _name(line.relation_name, stem, line.tigan_name, divination)
        glyph, moving = ("▅▅▅▅▅", "○") if line.is_yang else ("▅▅ ▅▅", "×")
        moves = moving if line.is_changing and hexagram.code == divination.binary_code else " "
        yield f"{_pad(name, 12)} {glyph} {moves} {line.special_mark}"


def _name(relation: str, stem: str, branch: str, divination: Divination) -> str:
    void = "空" if branch in divination.ganzhi.day_kong_wang else ""
    return f"{relation}{stem}{branch}{BRANCH_ELEMENT[branch]}{void}"


def _notes(divination: Divination) -> Iterable[str]:
    notes = {
        "卦象": divination.special_status,
        "生克": divination.interactions,
        "日月": divination.time_effect,
        "长生": divination.ri_chen_zhang_sheng,
    }
    yield ""
    for heading, entries in notes.items():
        if entries:
            yield f"{heading}  {'　'.join(entries)}"


def _width(text: str) -> int:
    return sum(2 if east_asian_width(character) in "WF" else 1 for character in text)


def _pad(text: str, width: int) -> str:
    return text + " " * (width - _width(text))
