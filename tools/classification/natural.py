"""Reads the natural texts: `training/natural/<part>/<language>.tsv`, a text a line as somebody typed it, no templates.

What is typed after a reading is in `training/natural_follow_ups`, with the question before it.

Classifiers learn from the part `learn`. The part `development` sets thresholds and chooses features; nothing is trained
on it, and nobody reads its misses.
"""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal
from zlib import crc32

from tools.classification.corpus import FOLDER

Part = Literal["learn", "development"]

LABELS: Final = frozenset({"ordinary", "self_harm", "emergency", "violence", "lifespan", "treatment"})
CAUTIONS: Final = frozenset({"none", "health", "law", "stakes", "finance", "-"})
"""Of ordinary texts; `-` is of the others."""
UNSAID: Final = "-"
"""Instead of a form: the writer of the text told none."""
FORMS: Final = frozenset({"yesno", "either", "when", "who", "where", "howmuch", "which_period", "open", "statement"})
POLARITIES: Final = frozenset({"good", "bad", "even", "-"})
"""What a yes would be for who asks; `-` where nothing is asked that yes would answer."""
PARTS: Final = 3
"""One text in so many is of the part `development`."""


@dataclass(frozen=True, slots=True)
class NaturalText:
    """A text with what its writer meant; `language` is `en`, `hant`, or `zh`, a third of which is Cantonese."""

    label: str
    caution: str
    form: str
    polarity: str
    text: str
    language: str


@dataclass(frozen=True, slots=True)
class NaturalFollowUp:
    """What somebody typed after a reading; `intents` are what a good answer must do, first of all the first of them.

    `language` is `en`, `hant`, `yue` or `zh`.
    """

    intents: tuple[str, ...]
    question: str
    text: str
    language: str


def _rows(folder: Path) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the rows of a folder's tables, each with its language."""
    for path in sorted(folder.glob("*.tsv")):
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
                yield path.stem, row


def natural(part: Part, folder: Path = FOLDER) -> Iterator[NaturalText]:
    """Yield the texts of a part."""
    for language, row in _rows(folder / "natural" / part):
        yield NaturalText(**row, language=language)


def natural_follow_ups(part: Part, folder: Path = FOLDER) -> Iterator[NaturalFollowUp]:
    """Yield the follow-ups of a part that care learns from as well."""
    yield from _follow_ups(folder / "natural_follow_ups" / part)


def typed_follow_ups(part: Part, folder: Path = FOLDER) -> Iterator[NaturalFollowUp]:
    """Yield all follow-ups of a part: the natural ones, and `training/typed_follow_ups`, of one intent each."""
    yield from natural_follow_ups(part, folder)
    yield from _follow_ups(folder / "typed_follow_ups" / part)


def _follow_ups(folder: Path) -> Iterator[NaturalFollowUp]:
    for language, row in _rows(folder):
        yield NaturalFollowUp(tuple(row["intent"].split("+")), row["question"], row["follow_up"], language)


@dataclass(frozen=True, slots=True)
class TypedQuestion:
    """A question with how it is put and what a yes would be for who asks; `language` also is `yue`."""

    form: str
    polarity: str
    text: str
    language: str


def typed_questions(part: Part, folder: Path = FOLDER) -> Iterator[TypedQuestion]:
    """Yield the ordinary questions of a part, once: those among the natural texts, and `training/questions/<part>`."""
    found: set[str] = set()
    for question in _typed_questions(part, folder):
        blankless = "".join(question.text.split()).lower()
        if blankless not in found:
            found.add(blankless)
            yield question


def _typed_questions(part: Part, folder: Path) -> Iterator[TypedQuestion]:
    for text in natural(part, folder):
        if text.label == "ordinary" and text.form != UNSAID:
            yield TypedQuestion(text.form, text.polarity, text.text, text.language)
    for language, row in _rows(folder / "questions" / part):
        yield TypedQuestion(**row, language=language)


def questions_of_sides(part: Part, folder: Path = FOLDER) -> Iterator[TypedQuestion]:
    """Yield the yes-or-no questions of who does what to whom, which are harder than what most people ask."""
    for language, row in _rows(folder / "sides" / part):
        yield TypedQuestion("yesno", **row, language=language)


def part_of(text: str) -> Part:
    """Return the part that a text belongs to, whatever its blanks."""
    return "development" if crc32("".join(text.split()).encode()) % PARTS == 0 else "learn"
