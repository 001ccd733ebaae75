"""What in the asker's life a question is about, and of which part of life it is.

Two linear classifiers read the words and the grammar: `about.bin` what the question turns on (a person, a post, money,
a document), `life.bin` the part of life (work, love, health). `tools.classification.train_about` trains them on
questions as people type them; docs/decisions/whose-line-is-read.md has the figures.

The features are the n-grams and concepts of the clause that asks, and those of the words beside it; the classes of its
words; its people and concepts in their order, for what stands first is mostly what is asked about; what belongs to
whom ("mum's landlord"); and what the tables found.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from math import exp, log
from operator import itemgetter
from pathlib import Path
from typing import Final
from zlib import crc32

from liuyao.care.folding import fold
from liuyao.classification import load
from liuyao.classification.words import classes_of, levels
from liuyao.reading.question.asking import Asking
from liuyao.reading.question.asks import Asks
from liuyao.reading.question.likely import LONGEST, MATTERS, concepts, grams, known, masked, words_of
from liuyao.reading.question.matters import FocusOn
from liuyao.reading.question.people.mentions import Mention
from liuyao.reading.question.people.subject import Subject
from liuyao.reading.question.text import Text

ABOUT: Final = Path(__file__).with_name("about.bin")
LIFE: Final = Path(__file__).with_name("life.bin")

LINES: Final[Mapping[str, tuple[FocusOn, ...]]] = {
    **dict.fromkeys(("self", "illness", "journey", "team_game"), ("世爻",)),
    "partner": ("妻财", "官鬼"),
    **dict.fromkeys(("parent", "elder", "exam", "document", "house", "vehicle", "news"), ("父母",)),
    **dict.fromkeys(("child", "animal", "medicine_doctor"), ("子孙",)),
    **dict.fromkeys(("sibling", "friend"), ("兄弟",)),
    **dict.fromkeys(("boss", "job"), ("官鬼",)),
    **dict.fromkeys(("rival", "other_person"), ("应爻",)),
    **dict.fromkeys(("money", "thing", "business"), ("妻财",)),
    "court": ("世爻", "官鬼"),
    "weather": ("父母", "妻财"),
}
"""The lines that may stand for what a question is about; 《增删卜易》 用神章."""

_BESIDE: Final = 60
"""Words beside the clause that are read, the last ones."""
_IN_ORDER: Final = 8
"""People and concepts whose order is read, the first ones."""
_HEAD: Final = 4
"""First words of the clause."""
_OWNS: Final = ("的", "'s ", "s' ")


@dataclass(frozen=True, slots=True)
class Likely:
    """How likely a question is about something (`about`) and of a part of life (`life`), as probabilities."""

    about: Mapping[str, float]
    life: Mapping[str, float]

    def nearest(self) -> str:
        """What it is likeliest about, of what the likeliest line stands for."""
        best = max(self._of_lines().items(), key=itemgetter(1))[0]
        return max((label for label in self.about if LINES[label] == best), key=self.about.__getitem__)

    def above(self, focus: FocusOn) -> float:
        """Return by how much, in log-odds, the likeliest line is likelier than one; 0 or less if it may be that."""
        sums = self._of_lines()
        own = sum(value for lines, value in sums.items() if focus in lines)
        return log(max(sums.values()) / max(own, 1e-9))

    def _of_lines(self) -> dict[tuple[FocusOn, ...], float]:
        sums: dict[tuple[FocusOn, ...], float] = {}
        for label, value in self.about.items():
            sums[LINES[label]] = sums.get(LINES[label], 0.0) + value
        return sums


def likely_about(
    text: Text, asked: Asking, people: Sequence[Mention], told: str | None, about: Subject, asks: Asks
) -> Likely:
    """What a question is likely about, with the matter and the kind of answer that the tables found."""
    return _likely(tuple(features(text, asked, people, told, about, asks)))


@lru_cache(maxsize=64)
def _likely(found: tuple[str, ...]) -> Likely:
    about, life = load(ABOUT), load(LIFE)
    at = buckets(found, about.count)
    if life.count != about.count:
        raise ValueError("the two models have different numbers of buckets")
    return Likely(as_probabilities(about.score_of(at)), as_probabilities(life.score_of(at)))


def as_probabilities(scores: Mapping[str, float]) -> Mapping[str, float]:
    """Return log-odds of several labels as their probabilities."""
    top = max(scores.values())
    raised = {label: exp(score - top) for label, score in scores.items()}
    whole = sum(raised.values())
    return {label: value / whole for label, value in raised.items()}


def buckets(found: Sequence[str], count: int) -> list[int]:
    """The distinct buckets of features; `count` is a power of two."""
    last = count - 1
    return list({crc32(name.encode()) & last for name in found})


def features(
    text: Text, asked: Asking, people: Sequence[Mention], told: str | None, about: Subject, asks: Asks
) -> Iterator[str]:
    """Yield the features of a question; the trainer and the product use the same function."""
    start, end = asked.clause
    clause = masked(text.folded[start:end], _within(people, start, end))[-LONGEST:]
    yield from grams(clause, MATTERS)
    yield from _of_head(words_of(clause), chinese=text.chinese)
    before, after = _within(people, 0, start), _within(people, end, len(text.folded))
    beside = f"{masked(text.folded[:start], before)} {masked(text.folded[end:], after)}"
    words = words_of(beside)[-_BESIDE:]
    yield from (f"~{word}" for word in words)
    yield from (f"~{one} {two}" for one, two in pairwise(words))
    inside = _entities(text.folded[start:end], _within(people, start, end))
    outside = [*_entities(text.folded[:start], before), *_entities(text.folded[end:], after)]
    yield from _in_order(inside, outside)
    yield from _of_classes(text.folded[start:end], "c")
    yield from _of_classes(f"{text.folded[:start]} {text.folded[end:]}", "cb")
    yield from known(told, about)
    role = about.mention.role if about.mention else about.pronoun_is_subject
    yield from (f"#asks {asks}", f"##asks {asks}", f"#asks {asks} {told}", f"#asks {asks} {role}")
    yield from _of_owners(text, people, asked)


def _within(people: Sequence[Mention], start: int, end: int) -> list[Mention]:
    """The people named in a part of the text, at their places in that part."""
    inside = (item for item in people if start <= item.start and item.end <= end)
    return [replace(item, start=item.start - start, end=item.end - start) for item in inside]


def _of_head(words: Sequence[str], *, chinese: bool) -> Iterator[str]:
    yield from (f"h:{word}" for word in words[: _HEAD if chinese else _HEAD + 1])
    if chinese:
        for size in range(2, _HEAD + 1):
            yield from (f"h:{''.join(words[:size])}", f"e:{''.join(words[-size:])}")
    else:
        yield from (f"hb:{' '.join(words[:size])}" for size in (2, 3))


def _entities(part: str, people: Sequence[Mention]) -> list[str]:
    """The people and the concepts of a part of the text, in their order."""
    found, at = [], 0
    for item in people:
        found += [*_concepts(part[at : item.start]), f"@{item.role.replace(' ', '_')}"]
        at = item.end
    return [*found, *_concepts(part[at:])]


def _concepts(part: str) -> Iterator[str]:
    return (f"={name}" for name in concepts(words_of(part), MATTERS))


def _in_order(inside: Sequence[str], outside: Sequence[str]) -> Iterator[str]:
    for name in outside:
        yield from (f"~{name}", f"~={name}")
    first = inside[:_IN_ORDER]
    if first:
        yield from (f"s1{first[0]}", f"s1'{first[0]}", f"sl{first[-1]}", f"sl'{first[-1]}")
        yield from (f"s>{one}>{two}" for one, two in pairwise(first))
        yield from (f"s>>{one}>{two}" for at, one in enumerate(first) for two in first[at + 1 :])
        yield from (f"sq{','.join(first[:3])}", f"sn{min(len(first), 4)}")
    else:
        yield from ("s0", "s0'")
    if outside:
        yield from (f"b1{outside[0]}", f"bl{outside[-1]}")
    if outside and not first:
        yield from (f"x1{outside[0]}", f"xl{outside[-1]}", f"xl'{outside[-1]}")


def _of_classes(part: str, mark: str) -> Iterator[str]:
    for name in classes_of(fold(part)):
        yield from (f"{mark}{level}" for level in levels(name))


def _of_owners(text: Text, people: Sequence[Mention], asked: Asking) -> Iterator[str]:
    """Yield who is named where, and what is named after somebody: a landlord after "mum's"."""
    for item in people:
        tail = text.folded[item.end : item.end + 30]
        owns = tail.startswith(_OWNS)
        where = "c" if asked.clause[0] <= item.start < asked.clause[1] else "b"
        yield from (f"o:{item.role}:{owns}:{item.through}:{where}", f"oo:{item.role}:{owns}")
        if (name := next(iter(concepts(words_of(tail[:20]), MATTERS)), None)) is not None:
            yield from (f"on:{item.role}:{name}", f"on:{owns}:{name}")
        words = words_of(tail)[:2]
        yield from [f"ow:{item.role}:{''.join(words)}"] if text.chinese else [f"ow:{item.role}:{it}" for it in words]
    yield f"people {len(people)}"
