"""Normalises text for matching phrases.

Full-width letters, accents, zero-width characters, look-alike letters, traditional characters, blanks or marks between
characters and letters spelled out one by one are folded away. Every pattern here takes linear time.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final
from unicodedata import category, normalize

from liuyao.care.characters import ALIKE, LEET
from liuyao.care.misspellings import SPELLINGS

CLAUSE: Final = ","
"""The separator of clauses."""

_INVISIBLE: Final = frozenset({"Cf", "Mn", "Me", "Cc", "Co", "Cs", "Cn"})
_HAN: Final = "㐀-鿿𠀀-𯿿"
_MARKS: Final = ",.!?;:、。，！？；：…~\n\r"

_HAS_HAN: Final = re.compile(f"[{_HAN}]")
_HAS_LATIN: Final = re.compile("[a-z]")
_NOT_CHINESE: Final = re.compile(f"[^0-9a-z{_HAN}{_MARKS}]")
_CLAUSES: Final = re.compile(f"[{_MARKS}]+")
_NO_LETTERS: Final = re.compile("[^a-z]")

_APOSTROPHES: Final = re.compile("['’‘`´ʼ＇]")
_STAR: Final = re.compile(r"(?<=[a-z])[*#_]+(?=[a-z])")
_LEET: Final = re.compile(r"(?<=[a-z])[013457@$!|]+(?=[a-z])|(?<![a-z0-9])\$(?=[a-z])")
_SPELLED: Final = re.compile(r"(?<![a-z0-9])[a-z](?:[ ._*/~-]{1,3}[a-z](?![a-z0-9])){2,}")
_REPEATED: Final = re.compile(r"([a-z])\1{2,}")
_NOT_ENGLISH: Final = re.compile("[^0-9a-z,]")


@dataclass(frozen=True, slots=True)
class Folded:
    """A text in its normal forms. Each is empty where the text has no such letters.

    `chinese` has no blanks, and CLAUSE between clauses; `dense` not even that. `english` is words in single blanks,
    with a blank at either end and a comma as a word between clauses. `joined` is the letters alone of a text that
    spells words letter by letter.
    """

    chinese: str = ""
    dense: str = ""
    english: str = ""
    joined: str = ""


@lru_cache(64)
def fold(text: str) -> Folded:
    """Fold a text. Tables and classifiers each ask for the same one."""
    shown = "".join(
        character
        for character in normalize("NFKD", text)
        if character in "\n\r\t" or category(character) not in _INVISIBLE
    )
    plain = normalize("NFKC", shown).lower().translate(ALIKE)
    chinese = _CLAUSES.sub(CLAUSE, _NOT_CHINESE.sub("", plain)) if _HAS_HAN.search(plain) else ""
    dense = chinese.replace(CLAUSE, "")
    return Folded(chinese, dense if dense != chinese else "", *(_english(plain) if _HAS_LATIN.search(plain) else ()))


def _english(plain: str) -> tuple[str, str]:
    text = _STAR.sub("", _APOSTROPHES.sub("", plain))
    text = _LEET.sub(lambda match: match[0].translate(LEET), text)
    spelled = _SPELLED.search(text) is not None
    joined = _NO_LETTERS.sub("", text) if spelled else ""
    if spelled:
        text = _SPELLED.sub(lambda match: _NO_LETTERS.sub("", match[0]), text)
    text = _CLAUSES.sub(",", _REPEATED.sub(r"\1", text)).replace(",", " , ")
    words = _NOT_ENGLISH.sub(" ", text).split()
    return f" {' '.join(SPELLINGS.get(word, word) for word in words)} , ", joined
