"""A question in the form in which its words are looked for.

Traditional characters, full-width and accented letters and typographic apostrophes are folded one for one, so a place
in the folded text is the same place in the user's.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import Final
from unicodedata import normalize

from liuyao.care.characters import ALIKE
from liuyao.reading.question.cantonese import in_standard_chinese
from liuyao.reading.question.humble import as_first_person

LONGEST: Final = 300
"""Characters that are read (DIV-03)."""

HAN: Final = "㐀-鿿"
_HAN: Final = re.compile(f"[{HAN}]")
_APOSTROPHES: Final = dict.fromkeys(map(ord, "’‘`´＇"), "'")
_VARIANTS: Final = {"鍊": "链", "姪": "侄", "壻": "婿", "嬤": "嬷"}
_END: Final = re.compile(r"(?:[^。！？!?；;\n.]|\.(?!\s|$)|(?<=\b[dm][rs])\.|(?<=\bmrs)\.)+[。！？!?；;\n.]*")
_CLAUSE: Final = re.compile(r"[^，,、：:…]+")
_LONG: Final = re.compile(r"[a-z]{4,}")
_INFLECTED: Final = re.compile(r"(?:ing|ed|es|s)$")
_PAIR: Final = re.compile("[\u4e00-\u9fff]{2}")


@dataclass(frozen=True)
class Text:
    """A text as written and folded, with the asker's humble words as 我 or "I".

    `places` are those of the folded characters in the written text, where Cantonese was put into standard Chinese.
    `asker` is "woman" or "man" where a humble word tells it.
    """

    written: str
    folded: str
    places: tuple[int, ...] | None = None
    asker: str = ""

    @property
    def verbatim(self) -> bool:
        """Whether a place in the folded text is the same place in the written one."""
        return self.places is None

    @cached_property
    def chinese(self) -> bool:
        """Whether it is to be read as Chinese."""
        return _HAN.search(self.folded) is not None

    def words(self, start: int, end: int) -> str:
        """Return the user's own words of a place in the folded text."""
        if self.places is None:
            return self.written[start:end]
        last = len(self.places) - 1
        start, end = min(start, last), min(end, last)
        while start < end < last and self.places[end] == self.places[end - 1]:
            end += 1
        return self.written[self.places[start] : self.places[end]]


@cache
def _folded(character: str) -> str:
    character = _VARIANTS.get(character, character)
    code = ord(character)
    if 0xFF01 <= code <= 0xFF5E and character not in "，！？；：（）":
        character = chr(code - 0xFEE0)
    lower = character.lower()
    alike = (lower if len(lower) == 1 else character).translate(_APOSTROPHES).translate(ALIKE)
    plain = normalize("NFD", alike)[:1] if alike and alike < "\u0250" else alike
    return plain if len(plain) == 1 else character


@lru_cache(64)
def read(text: str) -> Text:
    """Fold a text. A reading does so for its question several times."""
    written, asker = as_first_person(text[:LONGEST])
    folded = "".join(map(_folded, written))
    if standard := in_standard_chinese(folded):
        return Text(written, standard[0][:LONGEST], standard[1][: LONGEST + 1], asker)
    return Text(written, folded, asker=asker)


def sentences(folded: str) -> list[tuple[int, int]]:
    """Return the places of the sentences."""
    return [match.span() for match in _END.finditer(folded) if match[0].strip()]


def clauses(folded: str, start: int, end: int) -> list[tuple[int, int]]:
    """Return the places of the clauses of one sentence."""
    return [match.span() for match in _CLAUSE.finditer(folded, start, end) if match[0].strip()]


def parts(words: str) -> set[str]:
    """Return what a wording in lower case is known by: longer English words without endings, pairs of characters."""
    found = {_INFLECTED.sub("", word) for word in _LONG.findall(words)}
    return found | {words[at : at + 2] for at in range(len(words) - 1) if _PAIR.fullmatch(words[at : at + 2])}


class Expression:
    """A regular expression that is compiled when it is first used."""

    def __init__(self, source: str) -> None:
        self._source = source

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        return re.compile(self._source)

    def search(self, text: str, start: int = 0, end: int = LONGEST * 2) -> re.Match[str] | None:
        """Return the first place."""
        return self._compiled.search(text, start, end)

    def match(self, text: str, start: int = 0, end: int = LONGEST * 2) -> re.Match[str] | None:
        """Whether it is found at `start`."""
        return self._compiled.match(text, start, end)

    def finditer(self, text: str, start: int = 0, end: int = LONGEST * 2) -> Iterator[re.Match[str]]:
        """Return all places."""
        return self._compiled.finditer(text, start, end)

    def sub(self, by: str | Callable[[re.Match[str]], str], text: str) -> str:
        """Return the text with every place replaced."""
        return self._compiled.sub(by, text)


@cache
def pattern(expressions: tuple[str, ...]) -> re.Pattern[str]:
    """One pattern of several expressions, the longest first; compiled when it is first asked for."""
    return re.compile("|".join(sorted(expressions, key=len, reverse=True)))


def listed(words: str) -> tuple[str, ...]:
    """Return the words of a table: separated by blanks or lines, English phrases by commas."""
    parts = re.split(r"[,\n]" if "," in words else r"\s+", words)
    return tuple(part.strip() for part in parts if part.strip())
