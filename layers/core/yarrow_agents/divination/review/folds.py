"""Folds the clauses of a model's text once: every check reads the same ones.

Cantonese is put into standard Chinese (`cantonese.txt`), which the checks and their lists are written in.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from liuyao.care import folding
from liuyao.care.cantonese import WORDS

_FILE: Final = Path(__file__).with_name("cantonese.txt")
_KEPT: Final = 64
"""How many texts are cached: a sentence, its clauses, and the facts."""
_TELLING: Final = re.compile("[唔冇咗啲嘅嗰喺佢嚟畀嘢咁㗎哋噉啫喎睇谂攰搵乜]|而家|依家|即系")
"""Characters and words that only Cantonese has."""


@lru_cache(maxsize=_KEPT)
def fold(text: str) -> folding.Folded:
    """Fold a text as `care.folding.fold` does, Cantonese put into standard Chinese."""
    folded = folding.fold(text.replace("妳", "你"))
    if not _TELLING.search(folded.chinese):
        return folded
    standard = _cantonese()
    return replace(folded, chinese=_word().sub(lambda word: standard[word[0]], folded.chinese))


@cache
def _cantonese() -> Mapping[str, str]:
    """Return standard words by Cantonese ones, longer words first."""
    lines = _FILE.read_text(encoding="utf-8").splitlines()
    pairs = [pair.partition("=") for line in lines if not line.startswith("#") for pair in line.split()]
    found = WORDS | {word: standard for word, _, standard in pairs}
    return {word: found[word] for word in sorted(found, key=len, reverse=True)}


@cache
def _word() -> re.Pattern[str]:
    return re.compile("|".join(_cantonese()))
