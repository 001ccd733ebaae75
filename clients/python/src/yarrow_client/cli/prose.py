"""Breaks Chinese text into lines that do not begin with closing punctuation and split no date or word."""

import re
from typing import Final

from rich.cells import cell_len

MEASURE: Final = 88
"""Cells; longer lines are hard to read."""
_PIECE: Final = re.compile(
    r"""[（「『“《〈]*
    (?: \d+[年月日] | [^\s\u2e80-\uffef“”]+ | [\u2e80-\uffef] )?
    [，。；：！？、）」』”》〉…]*\s*""",
    re.VERBOSE,
)


def fold(text: str, width: int) -> str:
    """Return the text with a newline wherever a line is full."""
    lines = [""]
    for piece in filter(None, _PIECE.findall(text)):
        if lines[-1] and cell_len((lines[-1] + piece).rstrip()) > width:
            lines.append("")
        lines[-1] += piece
    return "\n".join(line.rstrip() for line in lines)
