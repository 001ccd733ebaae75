"""What a question's words make likely where no table names it: linear classifiers over the features of its words.

`matter.bin` (trained by `tools/train_focus.py`) knows the matters, and the kinds of people that no table names.
docs/decisions/whose-line-is-read.md has the figures.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

from liuyao.classification import load
from liuyao.reading.question.likely.features import buckets, known, masked
from liuyao.reading.question.matters import FocusOn
from liuyao.reading.question.people.mentions import Mention
from liuyao.reading.question.people.subject import Subject
from liuyao.reading.question.text import Text

MATTER: Final = Path(__file__).with_name("matter.bin")
LINE_OF_PEOPLE: Final[dict[str, FocusOn]] = {
    "staff": "妻财",
    "superior": "官鬼",
    "healer": "子孙",
    "medicine": "子孙",
    "stranger": "应爻",
}
"""The line of what is no matter: people whom no table names, and what a medicine does."""
ENOUGH: Final = 0.2
"""The margin above which a guess is taken where the tables know nothing."""
AGAINST: Final = 2.0
"""The margin above which it is taken against the tables."""


@dataclass(frozen=True, slots=True)
class Guess:
    """The likeliest label, and by how much (in log-odds) it is likelier than the next."""

    label: str
    margin: float
    scores: Mapping[str, float]


def likely_matter(text: Text, people: Sequence[Mention], told: str | None, about: Subject) -> Guess:
    """The likeliest matter of a question, or kind of person, with what the tables and the grammar found."""
    return guess(MATTER, masked(text.folded, people), tuple(known(told, about)))


@lru_cache(maxsize=64)
def guess(path: Path, text: str, known: tuple[str, ...] = ()) -> Guess:
    """The likeliest label of a masked text."""
    model = load(path)
    scores = model.score_of(buckets(text, model.count, known))
    ranked = sorted(scores.values(), reverse=True)
    return Guess(max(scores, key=scores.__getitem__), ranked[0] - ranked[1], scores)
