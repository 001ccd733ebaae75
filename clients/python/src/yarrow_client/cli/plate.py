"""Draws the plate (排盘) as in books, the highest line on top: 六神, 伏神, the original and the changed hexagram.

Terms stay Chinese in every language.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from yarrow_client.cli.hexagram import PALACES, stem, stems
from yarrow_client.cli.words import Words

_SPIRITS: Final = {"龙": "青龙", "雀": "朱雀", "勾": "勾陈", "蛇": "螣蛇", "虎": "白虎", "玄": "玄武"}
_COLOURS: Final = {"木": "green", "火": "red", "土": "yellow", "金": "", "水": "blue"}
YANG, YIN = "▅▅▅▅▅", "▅▅ ▅▅"
_MOVING: Final = "bold magenta"
_QUIET: Final = "dim"
NARROW: Final = 76

Divination = Mapping[str, Any]
Line = Mapping[str, Any]


def plate(divination: Divination, words: Words, width: int) -> RenderableType:
    """Draw the plate for a terminal of at least 64 cells."""
    return Group(_heading(divination, words), "", _lines(divination, words, width), *_notes(divination, words))


def _heading(divination: Divination, words: Words) -> Text:
    name = "guaNameHant" if words.language == "zh-TW" else "guaName"
    title = Text(_title(divination[name], divination["binaryCode"], words), style="bold")
    if divination["hasChangingYao"]:
        changed = divination[f"target{name[0].upper()}{name[1:]}"]
        title.append(" 之 ", style="not bold dim")
        title.append(_title(changed, divination["changedBinaryCode"], words))
    ganzhi = divination["ganzhi"]
    pillars = [
        f"{ganzhi[f'{pillar}GanZhi']}{unit}"
        for pillar, unit in zip(("year", "month", "day", "time"), "年月日时", strict=True)
    ]
    title.append(
        "\n" + words.spell("  ".join(pillars)).replace("时", "時" if words.language == "zh-TW" else "时"),
        style="not bold",
    )
    title.append(f"  {words.spell('旬空')} {ganzhi['dayKongWang']}", style="not bold")
    return title


def _title(name: str, code: str, words: Words) -> str:
    palace = PALACES[code]
    return f"{name}{words.spell(f'（{palace.name}宫{palace.generation}）')}"


def _lines(divination: Divination, words: Words, width: int) -> Table:
    changes = bool(divination["hasChangingYao"])
    hidden = {hidden_line["position"]: hidden_line for hidden_line in divination["fushenInfoList"]}
    table = Table.grid(padding=(0, 1 if width < NARROW else 2))
    heads = ["六神", *(["伏神"] if hidden else []), "本卦", "", ""] + (["变卦", ""] if changes else [])
    for _ in heads:
        table.add_column(no_wrap=True)
    table.add_row(*(Text(words.spell(head), style=_QUIET) for head in heads))
    own = PALACES[divination["binaryCode"]].name
    stems_of = [stems(divination[key]) for key in ("binaryCode", "changedBinaryCode")]
    targets = {target["position"]: target for target in divination["targetYaoInfoList"]}
    empty = divination["ganzhi"]["dayKongWang"]
    for line in sorted(divination["yaoInfoList"], key=lambda yao: yao["position"], reverse=True):
        position, moves = line["position"], bool(line["isChanging"])
        row = [Text(words.spell(_SPIRITS[line["spiritName"]]), style=_QUIET)]
        if hidden:
            below = hidden.get(position)
            row.append(_name(below, stem(own, position), empty, words, _QUIET) if below else Text())
        row.append(_name(line, stems_of[0][position - 1], empty, words, "bold" if moves else ""))
        row.append(_bar(line, _MOVING if moves else ""))
        mark = ("○" if line["isYang"] else "×") if moves else " "
        row.append(Text().append(mark, style=_MOVING).append(f" {words.spell(line['specialMark'])}", style="bold"))
        if changes:
            style = "" if moves else _QUIET
            row.append(_bar(targets[position], style))
            row.append(_name(targets[position], stems_of[1][position - 1], empty, words, style))
        table.add_row(*row)
    return table


def _bar(line: Line, style: str) -> Text:
    return Text(YANG if line["isYang"] else YIN, style=style)


def _name(line: Line, of_stem: str, empty: str, words: Words, style: str) -> Text:
    relation = line["relationNameHant" if words.language == "zh-TW" else "relationName"]
    branch, element = line["tiganName"], line["elementName"]
    colour = _COLOURS[element] if style != _QUIET else ""
    name = Text(relation, style=style).append(f"{of_stem}{branch}{element}", style=colour)
    return name.append("空", style=_QUIET) if branch in empty else name


def _notes(divination: Divination, words: Words) -> Iterator[RenderableType]:
    notes = [*divination["specialStatus"], *divination["interactions"], *divination["timeEffect"]]
    if notes:
        yield ""
        yield Text(words.spell("　".join(notes)), style=_QUIET)
