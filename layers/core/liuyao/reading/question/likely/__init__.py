"""What a question's words make likely where no table names it: linear classifiers over the features of its words.

`matter.bin` knows the matters, and the kinds of people that no table names; `topic.bin` the topics with words of their
own, and `NO_TOPIC`; `intent.bin` what a follow-up wants to hear. They are trained by
`tools.classification.train_focus`; docs/decisions/whose-line-is-read.md has the figures.

The features are n-grams of words (or Chinese characters), the concepts of a lexicon and what the tables found. A
concept stands for words that mean much the same, so that a word of no training sentence still tells something. The
trainer and the product use the same functions.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations, pairwise
from pathlib import Path
from typing import Final
from zlib import crc32

from liuyao.classification import load
from liuyao.reading.question.matters import FocusOn
from liuyao.reading.question.people.mentions import Mention
from liuyao.reading.question.people.roles import FAMILY, Role
from liuyao.reading.question.people.subject import Subject
from liuyao.reading.question.text import HAN, Text

MATTER: Final = Path(__file__).with_name("matter.bin")
TOPIC: Final = Path(__file__).with_name("topic.bin")
INTENT: Final = Path(__file__).with_name("intent.bin")
NO_TOPIC: Final = "none"
"""The label of a question that no topic's words fit."""
TURN: Final = "turn"
"""The label of a follow-up that asks of another matter or person."""
LINE_OF_PEOPLE: Final[dict[str, FocusOn]] = {
    "staff": "妻财",
    "superior": "官鬼",
    "healer": "子孙",
    "medicine": "子孙",
    "stranger": "应爻",
}
"""The line of what is no matter: people whom no table names, and what a medicine does."""
ENOUGH: Final = 0.5
"""The margin above which a guess is taken where the tables know nothing."""
AGAINST: Final = 2.5
"""The margin above which it is taken against the tables."""
MATTERS: Final = Path(__file__).with_name("concepts.txt")
"""The lexicon of what people ask about."""
INTENTS: Final = Path(__file__).with_name("intents.txt")
"""The lexicon of what they want to hear."""
LONGEST: Final = 120
"""Characters of a question that are classified, the last ones."""
_MOST_CONCEPTS: Final = 8
_HIDDEN: Final = dict.fromkeys(FAMILY, "①") | {
    Role.WIFE: "②",
    Role.HUSBAND: "②",
    Role.BELOVED: "②",
    Role.FRIEND: "③",
    Role.PET: "④",
}
"""Relatives may be asked about in every matter: a mark stands for them."""
_WORDS: Final = re.compile(rf"[a-z0-9']+|[{HAN}①-④]")
_ENDINGS: Final = ("'s", "s", "es", "ed", "ing", "d", "ly")


@dataclass(frozen=True, slots=True)
class Guess:
    """The likeliest label, and by how much (in log-odds) it is likelier than the next."""

    label: str
    margin: float
    scores: Mapping[str, float]


def likely_matter(text: Text, people: Sequence[Mention], told: str | None, about: Subject) -> Guess:
    """The likeliest matter of a question, or kind of person, with what the tables and the grammar found."""
    return guess(MATTER, masked(text.folded, people), tuple(known(told, about)))


def likely_topic(text: Text, people: Sequence[Mention], told: str | None, about: Subject) -> Guess:
    """The likeliest topic of a question, with what the tables and the grammar found."""
    return guess(TOPIC, masked(text.folded, people), tuple(known(told, about)))


def likely_intent(text: Text, people: Sequence[Mention], found: Iterable[str]) -> Guess:
    """Return the likeliest intent of a follow-up, as the name of an `Intent` in lower case, or `TURN`."""
    return guess(INTENT, masked(text.folded, people), tuple(heard(found)), INTENTS)


@lru_cache(maxsize=64)
def guess(path: Path, text: str, known: tuple[str, ...] = (), lexicon: Path = MATTERS) -> Guess:
    """Return the likeliest label of a masked text."""
    model = load(path)
    scores = model.score_of(buckets(text, model.count, known, lexicon))
    ranked = sorted(scores.values(), reverse=True)
    return Guess(max(scores, key=scores.__getitem__), ranked[0] - ranked[1], scores)


def masked(folded: str, people: Sequence[Mention]) -> str:
    """Return a folded text with marks for relatives, partners, friends and pets."""
    parts, at = [], 0
    for item in people:
        if item.role in _HIDDEN and item.start >= at:
            parts += [folded[at : item.start], _HIDDEN[item.role]]
            at = item.end
    return "".join([*parts, folded[at:]])


def buckets(text: str, count: int, known: Iterable[str] = (), lexicon: Path = MATTERS) -> list[int]:
    """The distinct buckets of a masked text and of what else is known; `count` is a power of two."""
    last = count - 1
    return list({code & last for code in _codes(text, tuple(known), lexicon)})


@lru_cache(64)
def _codes(text: str, known: tuple[str, ...], lexicon: Path) -> tuple[int, ...]:
    """Return the hashes of the features of a text, which the models of matters and of topics both read."""
    return tuple([crc32(gram.encode()) for gram in (*grams(text[-LONGEST:], lexicon), *known)])


def known(matter: str | None, about: Subject) -> Iterator[str]:
    """What the tables and the grammar found, as features."""
    role = about.mention.role.value if about.mention else about.pronoun_is_subject
    for name in (f"matter {matter}", f"role {role}", f"role {role} {about.part.name}", f"self {about.asks_of_self}"):
        yield f"#{name}"
        yield f"##{name}"
    yield f"###matter {matter}"
    yield f"#matter {matter} role {role}"


def heard(found: Iterable[str]) -> Iterator[str]:
    """Yield the intents that the tables found in a follow-up, as features."""
    for name in sorted(found) or ["none"]:
        yield f"#intent {name}"
        yield f"##intent {name}"
        yield f"###intent {name}"


def words_of(text: str) -> tuple[str, ...]:
    """Return the words, and each Chinese character, of a masked text."""
    return tuple(_WORDS.findall(text))


def grams(text: str, lexicon: Path) -> tuple[str, ...]:
    """Return the n-grams of a masked text, and the concepts of a lexicon."""
    words = words_of(text)
    return (*_n_grams(words), *_of_concepts(concepts(words, lexicon)))


@lru_cache(64)
def _n_grams(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the n-grams of words, which stand for a question of one clause in every model."""
    marked = ["^", *words, "$"]
    found = [*words, *[f"{one} {two}" for one, two in pairwise(marked)]]
    found += [f"{one} {two} {three}" for one, two, three in zip(marked[:-2], words, marked[2:], strict=True)]
    for word in words:
        if len(word) > 4:
            found += (f"{word[:4]}*", f"*{word[-3:]}")
    return tuple(found)


def _of_concepts(found: Iterable[str]) -> list[str]:
    """Return each concept as much as three n-grams, and each pair."""
    names = sorted(set(found))[:_MOST_CONCEPTS]
    counted = [f"{times}{name}" for name in names for times in ("=", "==", "===")]
    return counted + [f"={one}={two}" for one, two in combinations(names, 2)]


@lru_cache(64)
def concepts(words: tuple[str, ...], lexicon: Path) -> tuple[str, ...]:
    """Return the concepts of words or characters: at each place that of the longest word."""
    known, longest = _concepts(lexicon), _longest(lexicon)
    found = []
    at, last = 0, len(words)
    while at < last:
        word = words[at]
        size = min(longest.get(word, 0), last - at)
        while size and (name := known.get(words[at : at + size])) is None:
            size -= 1
        if not size:
            name = _stemmed(word, known) if len(word) > 3 else None
        if name:
            found.append(name)
        at += size or 1
    return tuple(found)


def _stemmed(word: str, known: Mapping[tuple[str, ...], str]) -> str | None:
    stems = (word.removesuffix(ending) for ending in _ENDINGS if word.endswith(ending))
    return next((known[stem,] for stem in stems if (stem,) in known), None)


@cache
def _concepts(lexicon: Path) -> Mapping[tuple[str, ...], str]:
    """Return the concept of each word, as its characters or its words."""
    found: dict[tuple[str, ...], str] = {}
    for line in lexicon.read_text(encoding="utf-8").splitlines():
        name, _, words = line.partition(":")
        if line.startswith("#"):
            continue
        for word in words.split():
            if parts := tuple(_WORDS.findall(word.replace("_", " "))):
                found.setdefault(parts, name)
    return found


@cache
def _longest(lexicon: Path) -> Mapping[str, int]:
    """Return the length of the longest word by its first character or word."""
    found: dict[str, int] = {}
    for word in _concepts(lexicon):
        found[word[0]] = max(found.get(word[0], 0), len(word))
    return found
