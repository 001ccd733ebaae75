"""Extracts the features of care's classifiers: n-grams, and the classes of words (`words.txt`).

Words of one class mean much the same, in English and Chinese alike; a class carries over to words that no training
sentence has. `tools/classification/make_words.py` makes the classes from an embedding. The trainer and the product use
the same function.
"""

from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
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
    mask = count - 1
    return list({code & mask for code in _codes(text)})


@lru_cache(64)
def _codes(text: str) -> tuple[int, ...]:
    """Return the hashes of a passage's features, which several models read."""
    folded = fold(text)
    found = grams(folded)
    for name in classes_of(folded):
        found |= levels(name)
    return tuple([crc32(gram.encode()) for gram in found])


def classes_of(folded: Folded) -> set[str]:
    """Return the classes of a text's words."""
    return {name for _, name in words_of(folded) if name is not None}


def words_of(folded: Folded) -> set[tuple[str, str | None]]:
    """Return the words of a text, each with its class, or None where it has none."""
    return set(in_order(folded))


def in_order(folded: Folded) -> list[tuple[str, str | None]]:
    """Return the same in their order, the Chinese words first."""
    known = _known()
    chinese = in_standard_chinese(folded.chinese) or folded.chinese if folded.chinese else ""
    return [
        *_of_chinese(chinese, known),
        *((word, _of_english(word, known)) for word in folded.english.split() if word != CLAUSE),
    ]


def classes() -> frozenset[str]:
    """Return the classes that words have."""
    return frozenset(_known().values())


def holding(name: str) -> list[str]:
    """Return a class and those that hold it, the widest first: `7.31.212` is of `7.31` and of `7`."""
    parts = name.split(".")
    return [".".join(parts[:size]) for size in range(1, len(parts) + 1)]


@cache
def levels(name: str) -> frozenset[str]:
    """Return the features of a class: one for itself, and one for each that holds it."""
    return frozenset(f"~{holder}" for holder in holding(name))


def _of_chinese(text: str, known: Mapping[str, str]) -> Iterator[tuple[str, str | None]]:
    """The longest word at each place, from the left, with its class."""
    at = 0
    while at < len(text):
        size = min(LONGEST_CHINESE, len(text) - at)
        while size > 1 and text[at : at + size] not in known:
            size -= 1
        if (word := text[at : at + size]) != CLAUSE:
            yield word, known.get(word)
        at += size


def _of_english(word: str, known: Mapping[str, str]) -> str | None:
    if word in known:
        return known[word]
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
