"""Casts in a terminal: by three coins six times, from given lines, or from a moment."""

import re
import secrets
import time
from datetime import datetime
from typing import Any, Final, cast, get_args

from rich.console import Console, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from yarrow_client.cli.hexagram import TRIGRAMS
from yarrow_client.cli.plate import YANG, YIN
from yarrow_client.cli.words import Words
from yarrow_client.run_input import Line

_BY_FLOWERS: Final[tuple[Line, ...]] = ("老阴", "少阳", "少阴", "老阳")
_NUMBERS: Final[dict[str, Line]] = dict(zip("6789", _BY_FLOWERS, strict=True))
_NAMES: Final = ("上爻", "五爻", "四爻", "三爻", "二爻", "初爻")
FALLING_SECONDS: Final = 0.45
Coins = tuple[bool, bool, bool]
"""True is the flower side (背), False the side with characters (字)."""


class NotLines(ValueError):
    """The text is not six lines."""


def throw() -> Coins:
    """Throw three coins with the operating system's randomness."""
    bits = secrets.randbits(3)
    return bool(bits & 1), bool(bits & 2), bool(bits & 4)


def line_of(coins: Coins) -> Line:
    """Return the line by the number of coins that show the flower side."""
    return _BY_FLOWERS[sum(coins)]


def read_lines(text: str) -> list[Line]:
    """Read six of 6789 or of 老阴 少阳 少阴 老阳, the lowest first. Raises NotLines."""
    names = re.findall("|".join(get_args(Line)), text.translate(str.maketrans("陽陰", "阳阴")))
    lines = names or [_NUMBERS[digit] for digit in text if digit in _NUMBERS]
    rest = re.sub(r"[\s,，、]|老[阳阴陽陰]|少[阳阴陽陰]|[6-9]", "", text)
    if len(lines) != 6 or rest:
        raise NotLines(text)
    return cast(list[Line], lines)


def lines_at(moment: datetime, terms: dict[str, Any]) -> list[Line]:
    """Cast by 《梅花易数》年月日时起例 with the service's solar terms; returns no lines outside of their years."""
    starts = [start for year in terms["years"] for start in year]
    month = sum(start <= moment.timestamp() for start in starts) - 1
    if not 0 <= month < len(starts) - 1:
        return []
    year = (terms["first_year"] + month // 12 - 4) % 12
    day = (moment.toordinal() - datetime(2000, 1, 1).toordinal() + 54 + (moment.hour == 23)) % 12  # noqa: DTZ001
    hour = (moment.hour + 1) // 2 % 12
    of_day = (year + 1) + (month % 12 + 1) + (day + 1)
    whole = of_day + hour + 1
    trigrams = list(TRIGRAMS)
    code = trigrams[(whole - 1) % 8] + trigrams[(of_day - 1) % 8]
    moving = (whole - 1) % 6
    by_kind: dict[tuple[str, bool], Line] = {
        ("1", False): "少阳",
        ("1", True): "老阳",
        ("0", False): "少阴",
        ("0", True): "老阴",
    }
    return [by_kind[line, place == moving] for place, line in enumerate(code)]


def throw_six(console: Console, words: Words) -> list[Line]:
    """Throw at each press of Enter, and draw the hexagram as it grows."""
    thrown: list[Coins] = []
    while len(thrown) < 6:
        console.print(_board(thrown, None, words))
        console.input(f"[dim]{words('throw', count=len(thrown) + 1)}[/dim] ")
        console.file.write("\x1b[8A\x1b[J")  # to the first line of the board
        console.file.flush()
        with Live(console=console, transient=True, refresh_per_second=15) as live:
            end = time.monotonic() + FALLING_SECONDS
            while time.monotonic() < end:
                live.update(_board(thrown, throw(), words))
                time.sleep(0.06)
        thrown.append(throw())
    console.print(_board(thrown, None, words))
    return [line_of(coins) for coins in thrown]


def _board(thrown: list[Coins], falling: Coins | None, words: Words) -> RenderableType:
    """Draw the board, which has seven rows."""
    table = Table.grid(padding=(0, 2))
    for name, place in zip(_NAMES, range(5, -1, -1), strict=True):
        row = [Text(words.spell(name), style="dim"), Text("     "), Text(), Text()]
        if place < len(thrown):
            line = line_of(thrown[place])
            moves = line.startswith("老")
            style = "bold magenta" if moves else ""
            row[1] = Text(YANG if line.endswith("阳") else YIN, style=style)
            row[2] = _coins(thrown[place])
            row[3] = Text(words.spell(line), style=style)
        elif place == len(thrown) and falling is not None:
            row[2] = _coins(falling, "dim")
        table.add_row(*row)
    table.add_row("")
    return table


def _coins(coins: Coins, style: str = "yellow") -> Text:
    return Text(" ".join("背" if is_flower else "字" for is_flower in coins), style=style)
