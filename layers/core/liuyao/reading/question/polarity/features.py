"""The features by which a question is taken for one of a hope or of a fear.

The words (or Chinese characters) of the event in n-grams, and the concepts of `outcomes.txt` with their order: who does
what to whom tells a lost job from a lost fear, and carries over to words that no training sentence has. So do the
classes of words of like meaning (`classification/words.txt`), and which stands before which. How it is put counts ("can
I" is mostly a hope, "is it" often a fear), what the expressions found, and what was told before, apart from the event
itself. The trainer and the product use the same function.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Final
from zlib import crc32

from liuyao.care.cantonese import in_standard_chinese
from liuyao.care.folding import CLAUSE, Folded, fold
from liuyao.classification import words as word_classes
from liuyao.reading.question.text import HAN

OUTCOMES: Final = Path(__file__).with_name("outcomes.txt")
NEUTRAL: Final = "nil"
"""The concept of words in which a character has not its own meaning: 告 in 报告."""
_MOST: Final = 14
"""Concepts that are read of a question."""
_GAP: Final = 4
"""Words from a verb to its particle: turn the music down."""
_PARTICLES: Final = frozenset(["down", "out", "up", "back", "off", "away", "on", "over", "apart", "alone"])
_NO_VERBS: Final = frozenset(["get", "go", "be", "come", "is", "goes", "comes", "gets", "dies", "run", "fall"])
"""First words that have other particles of their own behind them."""
_ENDINGS: Final = ("'s", "s", "es", "ed", "ing", "d", "ly", "er")
_WORDS: Final = re.compile(rf"[a-z0-9'-]+|[{HAN}]")
_EITHER: Final = re.compile(r"(\w{1,2})[不没]\1")
"""能不能 asks as 能 does."""
_WHETHER: Final = (("有没有", "有"), ("是否", "是"), ("能否", "能"), ("会否", "会"))

_FRAMES: Final = (
    ("can", re.compile(r"能|可以|得[^，]{0,3}$|(\w)不\1(?:到|得)|\b(?:can|could)\b")),
    ("will", re.compile(r"会|肯|要|\bwill\b|\bgo(?:ing to|nna)\b")),
    ("is", re.compile(r"是|\b(?:is|are|am|was|were)\b")),
    ("has", re.compile(r"有|\b(?:have|has|any)\b")),
    ("does", re.compile(r"\b(?:do|does|did)\b")),
)
_ME: Final = "me"
_MOST_CLASSES: Final = 14
"""Words of a question whose classes are paired."""
_NEAR: Final = 3
"""Words from the first to the second of a pair, the second one counted."""
_SELF: Final = re.compile(r"我|咱|\b(?:i|we|me|my|us|our)\b")
_TOLD_BEFORE: Final = 60
"""Words before the event that are read, the last ones."""
_CONCEPTS_BEFORE: Final = 8

Concepts = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Event:
    """What is asked about, what the text tells beside it, and the polarity that the expressions found, if any."""

    clause: str
    before: str = ""
    told: str = ""


def buckets(event: Event, count: int) -> list[int]:
    """The distinct buckets of an event; `count` is a power of two."""
    last = count - 1
    grams = (*_grams(event.clause), *_of_frame(event.clause), *_of_before(event.before), *_of_expressions(event.told))
    return list({crc32(gram.encode()) & last for gram in grams})


def _of_frame(clause: str) -> Iterator[str]:
    """Yield how the question is put, with whether the asker is in it and with each concept."""
    frames = [name for name, way in _FRAMES if way.search(clause)][:2]
    concerns = "self" if _SELF.search(clause) else "others"
    named = [name for here in concepts(_WORDS.findall(clause))[:_MOST] for name in here]
    for frame in frames:
        yield from (f"%{frame}", f"%%{frame}", f"%{frame} {concerns}")
        yield from (f"%{frame}>{name}" for name in named)


def _of_before(before: str) -> Iterator[str]:
    words = _WORDS.findall(before)[-_TOLD_BEFORE:]
    yield from (f"~{word}" for word in words)
    yield from (f"~{one}{two}" for one, two in pairwise(words))
    for here in concepts(words)[-_CONCEPTS_BEFORE:]:
        for name in here:
            yield from (f"~={name}", f"~=={name}")


def _of_expressions(told: str) -> Iterator[str]:
    """Yield what the expressions found as much as four n-grams."""
    yield from (f"{'#' * times}{told or 'none'}" for times in range(1, 5))


def _grams(text: str) -> Iterator[str]:
    folded = fold(text)
    words: list[str] = []
    if folded.chinese:
        chinese = _plain(in_standard_chinese(folded.chinese) or folded.chinese)
        yield from _of_characters(chinese)
        words += _WORDS.findall(chinese)
    if folded.english:
        english = [word for word in folded.english.split() if word != CLAUSE]
        yield from _of_words(english)
        words += [word for word in english if word not in words]
    yield from _of_concepts(concepts(words))
    yield from _of_classes(folded)


def _of_classes(folded: Folded) -> Iterator[str]:
    """Yield the classes of the words, and each pair of those that stand near each other, in their order."""
    named = word_classes.in_order(replace(folded, chinese=_plain(folded.chinese)))
    yield from {level for _, name in named if name is not None for level in word_classes.levels(name)}
    told = (_ME if _SELF.fullmatch(word) else _middle(name) for word, name in named)
    paired = [name for name in told if name][:_MOST_CLASSES]
    for at, first in enumerate(paired):
        yield from (f"^{first}>{second}" for second in paired[at + 1 : at + 1 + _NEAR])


def _middle(name: str | None) -> str | None:
    """Return the class that holds a class of words, of 256."""
    return name and word_classes.holding(name)[1]


def _plain(chinese: str) -> str:
    text = _EITHER.sub(r"\1", chinese)
    for both, one in _WHETHER:
        text = text.replace(both, one)
    return text


def _of_characters(chinese: str) -> Iterator[str]:
    text = f"{CLAUSE}{chinese.strip(CLAUSE)}{CLAUSE}"
    for size in range(1, 5):
        yield from (text[at : at + size] for at in range(len(text) - size + 1))


def _of_words(words: Sequence[str]) -> Iterator[str]:
    marked = [CLAUSE, *words, CLAUSE]
    yield from (f"{one}_" for one in words)
    yield from (f"{one}_{two}_" for one, two in pairwise(marked))
    yield from (f"{one}_{two}_{three}_" for one, two, three in zip(marked, words, marked[2:], strict=False))
    for word in words:
        if len(word) > 4:
            yield from (f"{word[:4]}*", f"{word[:5]}*", f"*{word[-3:]}")


def _of_concepts(found: Sequence[Concepts]) -> Iterator[str]:
    """Yield each concept as much as three n-grams, and each pair in its order."""
    for at, here in enumerate(found[:_MOST]):
        for one in here:
            yield from (f"={one}", f"=={one}", f"==={one}")
            yield from (f"={one}>{other}" for later in found[at + 1 : _MOST] for other in later)


def concepts(words: Sequence[str]) -> list[Concepts]:
    """Return the concepts of words or characters, in their order: at each place those of the longest phrase."""
    known, longest = _known()
    words = _joined(words, known)
    found: list[Concepts] = []
    at, last = 0, len(words)
    while at < last:
        size = min(longest.get(words[at], 1), last - at)
        while size and (names := _named(tuple(words[at : at + size]), known)) is None:
            size -= 1
        if size and (told := tuple(name for name in names or () if name != NEUTRAL)):
            found.append(told)
        at += size or 1
    return found


def _named(phrase: tuple[str, ...], known: Mapping[tuple[str, ...], Concepts]) -> Concepts | None:
    names = known.get(phrase)
    if names is None and len(phrase) == 1 and len(phrase[0]) > 3:
        stems = (phrase[0].removesuffix(ending) for ending in _ENDINGS if phrase[0].endswith(ending))
        return next((known[form,] for stem in stems for form in _forms(stem) if (form,) in known), None)
    return names


def _forms(stem: str) -> tuple[str, str, str]:
    """hop(ing) may be of hop and of hope, stopp(ed) of stop."""
    return stem, f"{stem}e", stem[:-1] if stem[-1:] == stem[-2:-1] else stem


def _joined(words: Sequence[str], known: Mapping[tuple[str, ...], Concepts]) -> Sequence[str]:
    """Return the words with the particle of a phrasal verb beside it."""
    for at, word in enumerate(words):
        for after in range(at + 2, min(at + 1 + _GAP, len(words))):
            if words[after] not in _PARTICLES:
                continue
            verb = next((item for item in (word, word.removesuffix("s")) if (item, words[after]) in known), None)
            if verb and verb not in _NO_VERBS:
                return [*words[:at], verb, words[after], *words[at + 1 : after], *words[after + 1 :]]
            break
    return words


@cache
def _known() -> tuple[Mapping[tuple[str, ...], Concepts], Mapping[str, int]]:
    """Return the concepts of each phrase, and the length of the longest by its first word or character."""
    known: dict[tuple[str, ...], Concepts] = {}
    longest: dict[str, int] = {}
    for line in OUTCOMES.read_text(encoding="utf-8").splitlines():
        name, _, phrases = line.partition(":")
        if line.startswith("#"):
            continue
        for phrase in phrases.replace("|", " ").split():
            parts = tuple(_WORDS.findall(phrase.replace("_", " ")))
            if parts and name not in known.get(parts, ()):
                known[parts] = (*known.get(parts, ()), name)
                longest[parts[0]] = max(longest.get(parts[0], 0), len(parts))
    return known, longest
