"""Draws a divination as a plate (排盘) in SVG, 上爻 on top, readable on light and dark pages.

Input is the wire object, fresh or stored. Canonical terms stay Chinese in every language (DIV-26). Self-contained: no
script, no link, and the user's text escaped.
"""

import re
from collections.abc import Callable, Iterator
from typing import Final
from unicodedata import east_asian_width
from xml.sax.saxutils import escape

from liuyao.derivation import SPIRITS
from liuyao.divination import Divination, YaoInfo
from liuyao.elements import BRANCH_ELEMENT
from liuyao.hexagrams import HEXAGRAMS, Hexagram
from liuyao.hexagrams import traditional as name_in_traditional
from liuyao.quotation import on_one_line
from liuyao.reading.language import Language
from liuyao.reading.wording.hexagram_names import HEXAGRAM_NAMES
from liuyao.reading.wording.spelling import traditional as term_in_traditional

Spell = Callable[[str], str]
"""How a canonical term is written in a language."""

QUESTION_CELLS: Final = 70
TYPE_CELLS: Final = 20
"""The width of the question and of its type on the plate, a Chinese character being two; the rest is left out."""

_LABELS: Final = {
    Language.SIMPLIFIED: ("六爻卦盘", "六神", "伏神", "本卦", "变卦", "四柱", "旬空", "动"),
    Language.TRADITIONAL: ("六爻卦盤", "六神", "伏神", "本卦", "變卦", "四柱", "旬空", "動"),
    Language.ENGLISH: (
        *("Liu Yao plate", "六神 spirit", "伏神 hidden", "本卦 original", "变卦 changed"),
        *("Four pillars", "Void (旬空)", "动"),
    ),
}
"""Title, the heads of the columns, the pillars, the void branches, and the mark of a moving line."""

_NOT_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

_WIDTH: Final = 880
_TOP: Final = 212
"""The baseline of 上爻."""
_STEP: Final = 46
_BAR: Final = 112
_ORIGINAL, _CHANGED = 380, 710
"""Where the bars of the two hexagrams begin."""

_STYLE: Final = """
.plate{--ink:#1f1b16;--soft:#6b6258;--move:#b3261e;--paper:#fbf7ef;--rule:#d9cfbf}
@media (prefers-color-scheme:dark){.plate{--ink:#efe7da;--soft:#b3a797;--move:#ff8a7a;--paper:#1d1a17;--rule:#4a4238}}
.plate text{fill:var(--ink);font:17px "Noto Serif CJK SC","Songti SC","Noto Serif CJK TC",SimSun,serif}
.plate .head{font-size:14px;fill:var(--soft)}.plate .title{font-size:24px;font-weight:600}
.plate .mid{text-anchor:middle}.plate .end{text-anchor:end}
.plate .bar{fill:var(--ink)}.plate .moving .bar{fill:var(--move)}
.plate .moving .mark{fill:none;stroke:var(--move);stroke-width:2.4}.plate .moving .note{fill:var(--move);font-size:14px}
.plate .side{font-weight:600}
""".replace("\n", "")


def draw_svg(divination: Divination, language: Language) -> str:
    """Return the whole plate as an SVG document."""
    body = "".join(_body(divination, language))
    rows = sum(1 for note in _notes(divination))
    height = _TOP + 5 * _STEP + 40 + 24 * rows + 14
    label = escape(f"{_LABELS[language][0]}: {_title(divination, language)}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="plate" role="img" viewBox="0 0 {_WIDTH} {height}" '
        f'width="{_WIDTH}" height="{height}"><title>{label}</title><style>{_STYLE}</style>'
        f'<rect width="{_WIDTH}" height="{height}" rx="12" fill="var(--paper)"/>{body}</svg>'
    )


def spelling(language: Language) -> Spell:
    """Return how canonical terms are written: in traditional characters for Traditional Chinese alone."""
    if language is not Language.TRADITIONAL:
        return str
    return lambda term: term_in_traditional(name_in_traditional(term))


def _title(divination: Divination, language: Language) -> str:
    names = [divination.gua_name]
    if divination.has_changing_yao:
        names.append(divination.target_gua_name)
    if language is Language.ENGLISH:
        return " → ".join(f"{name} {HEXAGRAM_NAMES[name]}" for name in names)
    return " 之 ".join(map(spelling(language), names))


def _body(divination: Divination, language: Language) -> Iterator[str]:
    spell = spelling(language)
    _, spirit, hidden, original, changed, pillars, void, moves = _LABELS[language]
    ganzhi = divination.ganzhi
    yield _text(36, 48, _title(divination, language), "title")
    yield _text(36, 80, _question_with_type(divination))
    four = (ganzhi.year_gan_zhi, ganzhi.month_gan_zhi, ganzhi.day_gan_zhi, ganzhi.time_gan_zhi)
    text = f"{pillars} {' '.join(pillar + unit for pillar, unit in zip(four, spell('年月日时'), strict=True))}"
    yield _text(36, 108, f"{text}　{void} {ganzhi.day_kong_wang}　{divination.divination_time}", "head")
    yield f'<path d="M36 126H{_WIDTH - 36}" stroke="var(--rule)"/>'
    yield _text(36, 154, spirit, "head")
    own, target = HEXAGRAMS[divination.binary_code], HEXAGRAMS[divination.changed_binary_code]
    if own.hidden:
        yield _text(150, 154, hidden, "head")
    yield _text(_ORIGINAL + _BAR // 2, 154, f"{original} {_palace(own, spell)}", "head mid")
    if divination.has_changing_yao:
        yield _text(_CHANGED + _BAR // 2, 154, f"{changed} {_palace(target, spell)}", "head mid")
    for line in divination.yao_info_list:
        y = _TOP + (6 - line.position) * _STEP
        yield _text(36, y, spell(SPIRITS[line.spirit_name]))
        for path in own.hidden:
            if path.position == line.position:
                yield _text(150, y, _name(path.relation, path.stem, path.branch, divination, spell))
        yield _line(line, own, _ORIGINAL, y, divination, spell, moves)
    for line in divination.target_yao_info_list:
        yield _line(line, target, _CHANGED, _TOP + (6 - line.position) * _STEP, divination, spell, "")
    y = _TOP + 5 * _STEP + 46
    for row in _notes(divination):
        yield _text(36, y, "　".join(map(spell, row)), "head")
        y += 24


def _line(line: YaoInfo, hexagram: Hexagram, x: int, y: int, divination: Divination, spell: Spell, moves: str) -> str:
    """Return one line of a hexagram: relation and 纳甲, the bar, and ○ or × if it moves (`moves` is then the mark)."""
    stem = hexagram.stems[line.position - 1]
    parts = [_text(x - 14, y, _name(line.relation_name, stem, line.tigan_name, divination, spell), "end")]
    widths = [(0, _BAR)] if line.is_yang else [(0, _BAR * 5 // 12), (_BAR * 7 // 12, _BAR * 5 // 12)]
    parts += [f'<rect class="bar" x="{x + dx}" y="{y - 14}" width="{width}" height="14"/>' for dx, width in widths]
    right, middle = x + _BAR + 18, y - 7
    if moves and line.is_changing:
        circle = f'<circle class="mark" cx="{right}" cy="{middle}" r="7"/>'
        cross = f'<path class="mark" d="M{right - 6} {middle - 6}l12 12m0-12l-12 12"/>'
        parts += [circle if line.is_yang else cross, _text(right + 12, y - 1, moves, "note")]
    if line.special_mark:
        parts.append(_text(right + 34, y, spell(line.special_mark), "side"))
    kind = ' class="moving"' if moves and line.is_changing else ""
    return f"<g{kind}>{''.join(parts)}</g>"


def _palace(hexagram: Hexagram, spell: Spell) -> str:
    return spell(f"{hexagram.palace.name}宫{hexagram.generation}")


def _name(relation: str, stem: str, branch: str, divination: Divination, spell: Spell) -> str:
    void = "空" if branch in divination.ganzhi.day_kong_wang else ""
    return f"{spell(relation)}{stem}{branch}{BRANCH_ELEMENT[branch]}{void}"


def _notes(divination: Divination) -> Iterator[tuple[str, ...]]:
    """Return the notes on the whole cast, in rows that fit."""
    every = (*divination.special_status, *divination.interactions, *divination.time_effect)
    row: list[str] = []
    for text in every:
        if row and sum(map(len, row)) + len(row) + len(text) > 52:
            yield tuple(row)
            row = []
        row.append(text)
    if row:
        yield tuple(row)


def _question_with_type(divination: Divination) -> str:
    question = _shortened(divination.question, QUESTION_CELLS)
    return f"{question}（{_shortened(divination.question_type, TYPE_CELLS)}）"


def _shortened(text: str, cells: int) -> str:
    kept: list[str] = []
    for character in on_one_line(text):
        cells -= 2 if east_asian_width(character) in "WFA" else 1
        if cells < 0:
            return f"{''.join(kept[:-1])}…"
        kept.append(character)
    return "".join(kept)


def _text(x: int, y: int, text: str, kind: str = "") -> str:
    kind = kind and f' class="{kind}"'
    return f'<text x="{x}" y="{y}"{kind}>{escape(_NOT_XML.sub("�", text))}</text>'
