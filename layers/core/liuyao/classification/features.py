"""Extracts the features of a text: hashed n-grams of its normal form.

Chinese (and Cantonese in standard Chinese): 1- to 4-grams of characters. Latin script: words, pairs and triples of
words, and 2- to 5-grams of letters within a word and its edges. Of both: concepts (`concepts.txt`) and their pairs,
which carry over to words that no training sentence has. The trainer and the product use the same function.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import combinations, pairwise
from pathlib import Path
from typing import Final
from zlib import crc32

from liuyao.care.cantonese import in_standard_chinese
from liuyao.care.folding import CLAUSE, Folded, fold

MOST_CHARACTERS: Final = 4_000
"""Characters read from either end of a text."""
_WHOLE: Final = 60
"""Characters of a text that is one passage."""
_LONGEST_CHINESE: Final = 4
_MOST_CONCEPTS: Final = 24
_LETTERS: Final = range(2, 6)
_ENDS: Final = ".!?;。！？；\n\r"
_SENTENCE_END: Final = str.maketrans(dict.fromkeys(_ENDS, "\n"))


def passages(text: str) -> Iterator[str]:
    """Return the parts of a text that are classified: the whole if short, else every two neighbouring sentences."""
    if len(text) <= _WHOLE:
        yield text
        return
    if len(text) > 2 * MOST_CHARACTERS:
        text = f"{text[:MOST_CHARACTERS]}\n{text[-MOST_CHARACTERS:]}"
    sentences = [line for line in text.translate(_SENTENCE_END).split("\n") if line.strip()]
    if len(sentences) < 3:
        yield "\n".join(sentences)
    for first, second in pairwise(sentences):
        yield f"{first}\n{second}"


def buckets(text: str, count: int) -> list[int]:
    """Return the distinct buckets of a passage's n-grams; `count` is a power of two."""
    folded = fold(text)
    mask = count - 1
    return list({crc32(gram.encode()) & mask for gram in grams(folded)})


@cache
def _concepts() -> Mapping[str, str]:
    """Return the concept of each n-gram that is one of its words."""
    found: dict[str, str] = {}
    for line in Path(__file__).with_name("concepts.txt").read_text(encoding="utf-8").splitlines():
        name, _, words = line.partition(":")
        if not words or line.startswith("#"):
            continue
        chinese, _, english = words.partition("|")
        found.update(dict.fromkeys(chinese.split(), name))
        found.update({f"{word}_": name for word in english.split()})
    return found


def _of_concepts(grams: Iterable[str]) -> Iterator[str]:
    """Return each concept twice, which makes it count as much as two n-grams, and each pair."""
    known = _concepts()
    names = sorted({known[gram] for gram in grams if gram in known})[:_MOST_CONCEPTS]
    for name in names:
        yield f"={name}"
        yield f"=={name}"
    for one, other in combinations(names, 2):
        yield f"={one}={other}"


def grams(folded: Folded) -> set[str]:
    """Return the n-grams and concepts of a folded passage."""
    found: set[str] = set()
    if folded.chinese:
        found |= _of_characters(in_standard_chinese(folded.chinese) or folded.chinese)
    if folded.english:
        found |= _of_words([CLAUSE, *folded.english.strip(f" {CLAUSE}").split(), CLAUSE])
    return found.union(_of_concepts(found))


def _of_characters(chinese: str) -> set[str]:
    text = f"{CLAUSE}{chinese.strip(CLAUSE)}{CLAUSE}"
    return {text[at : at + size] for size in range(1, _LONGEST_CHINESE + 1) for at in range(len(text) - size + 1)}


def _of_words(words: list[str]) -> set[str]:
    grams = {f"{one}_" for one in words}
    grams.update(f"{one}_{two}_" for one, two in pairwise(words))
    grams.update(f"{one}_{two}_{three}_" for one, two, three in zip(words, words[1:], words[2:], strict=False))
    for word in {f" {word} " for word in words}:
        for size in _LETTERS:
            grams.update(word[at : at + size] for at in range(len(word) - size + 1))
    return grams
