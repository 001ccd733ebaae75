"""Extracts the features of care's classifiers: n-grams, and the classes of words (`words.txt`).

Words of one class mean much the same, in English and Chinese alike; a class carries over to words that no training
sentence has. `tools/classification/make_words.py` makes the classes from an embedding. The trainer and the product use
the same function.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final
from zlib import crc32

from liuyao.care.cantonese import in_standard_chinese
from liuyao.care.folding import CLAUSE, Folded, fold
from liuyao.classification.features import grams

WORDS: Final = Path(__file__).with_name("words.txt")
LONGEST_CHINESE: Final = 4
_ENDINGS: Final = (
    *(("ies", "y"), ("s", ""), ("es", ""), ("ed", ""), ("d", ""), ("ing", ""), ("ing", "e"), ("er", "")),
    *(("est", ""), ("ly", "")),
)
"""What a word may end with, and what stands there in its base form."""


def buckets(text: str, count: int) -> list[int]:
    """Return the distinct buckets of a passage; `count` is a power of two."""
    folded = fold(text)
    mask = count - 1
    found = grams(folded)
    for name in classes_of(folded):
        found |= levels(name)
    return list({crc32(gram.encode()) & mask for gram in found})


def classes_of(folded: Folded) -> set[str]:
    """Return the classes of a text's words."""
    known = _known()
    found: set[str] = set()
    if folded.chinese:
        found.update(_of_chinese(in_standard_chinese(folded.chinese) or folded.chinese, known))
    for word in set(folded.english.split()):
        if (name := _of_english(word, known)) is not None:
            found.add(name)
    return found


@cache
def levels(name: str) -> frozenset[str]:
    """A class and those that hold it: `7.31.212` is of `7.31` and of `7`."""
    parts = name.split(".")
    return frozenset(f"~{'.'.join(parts[:size])}" for size in range(1, len(parts) + 1))


def _of_chinese(text: str, known: Mapping[str, str]) -> Iterator[str]:
    """The longest word at each place, from the left."""
    at = 0
    while at < len(text):
        size = min(LONGEST_CHINESE, len(text) - at)
        while size > 1 and text[at : at + size] not in known:
            size -= 1
        if (name := known.get(text[at : at + size])) is not None:
            yield name
        at += size


def _of_english(word: str, known: Mapping[str, str]) -> str | None:
    if word == CLAUSE or word in known:
        return known.get(word)
    bases = (word.removesuffix(ending) + base for ending, base in _ENDINGS if word.endswith(ending))
    return next((known[base] for base in bases if len(base) > 2 and base in known), None)


@cache
def _known() -> Mapping[str, str]:
    """Return the class of each word."""
    found: dict[str, str] = {}
    for line in WORDS.read_text(encoding="utf-8").splitlines():
        name, _, words = line.partition(": ")
        found.update(dict.fromkeys(words.split(), name))
    return found
