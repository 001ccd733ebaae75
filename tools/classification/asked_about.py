"""Reads the questions of which somebody has said what they are about: `training/about` and `training/about_written`.

The first are as people type them; a third, `development`, is never trained on, and nobody reads its misses. The second
are by the hand that trains, for words and turns that the first have not, and none is held back.
"""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

from liuyao.reading.question.likely.about import LINES
from liuyao.reading.question.matters import FocusOn
from tools.classification.corpus import FOLDER, digest
from tools.classification.natural import Part

LIVES: Final = frozenset(
    {"work", "love", "money", "exam", "health", "lost", "travel", "house", "law", "family", "friends", "other"}
)
NOBODY: Final = "-"
"""The owner of what is the asker's own."""
_OWN_FATE: Final = frozenset({"illness", "journey", "exam", "self", "job", "court", "team_game", "news", "document"})
"""Of somebody else, what is asked is that one's fate (代占): a son's exam is read from the son's line."""
TESTS: Final = FOLDER.parent / "tests/unit/liuyao/question"
SHOWN: Final = ("questions", "ordinary/questions_seen", "ordinary/questions_unseen", "ordinary/questions_further")
"""Questions that the tables and the grammar were mended by; the classifiers are to know them as well."""
KIN: Final = "kin"


@dataclass(frozen=True, slots=True)
class AskedAbout:
    """A question with what it is about, who that belongs to, and the part of life that it is of."""

    about: str
    owner: str
    life: str
    text: str
    language: str

    @property
    def turns_on(self) -> str:
        """What stands for it: the owner of a fate, else the thing itself."""
        return self.owner if self.owner != NOBODY and self.about in _OWN_FATE else self.about

    @property
    def lines(self) -> frozenset[FocusOn]:
        """The lines that it may be read from: its own, or its owner's."""
        return frozenset(LINES[self.about] + LINES.get(self.owner, ()))


def asked_about(part: Part, folder: Path = FOLDER) -> Iterator[AskedAbout]:
    """Yield the questions of a part, as people type them."""
    yield from _read(folder / "about" / part)


def written(folder: Path = FOLDER) -> Iterator[AskedAbout]:
    """Yield the questions by the hand that trains."""
    yield from _read(folder / "about_written")


def _read(folder: Path) -> Iterator[AskedAbout]:
    for path in sorted(folder.glob("*.tsv")):
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
                yield AskedAbout(**row, language=path.stem)


@dataclass(frozen=True, slots=True)
class Shown:
    """A question without a type that the tables are tested with; `lines` are right, `matter` is None if untold."""

    text: str
    lines: frozenset[str]
    matter: str | None = None


def shown() -> Iterator[Shown]:
    """Yield the questions that the tables were mended by."""
    for name in SHOWN:
        for row in _rows(name):
            if not row.get("type") and row["focus"] != "*":
                yield Shown(row["question"], frozenset(row["focus"].split("/")), row.get("matter"))


def shown_of_kin() -> Iterator[Shown]:
    """Yield the sentences that the words for people are tested with."""
    for row in _rows(KIN):
        for person in row["people"].split():
            yield Shown(row["sentence"].format(person), frozenset({row["focus"]}))


def _rows(name: str) -> Iterator[dict[str, str]]:
    with (TESTS / f"{name}.tsv").open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)


def digest_of_all() -> str:
    """Return the digest of all that is learnt from."""
    tests = b"".join((TESTS / f"{name}.tsv").read_bytes() for name in (*SHOWN, KIN))
    return sha256(digest("about", "about_written", "focus").encode() + tests).hexdigest()
