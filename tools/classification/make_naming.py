"""Makes `liuyao/classification/naming.txt`: how much each word says of the matter of a question that has it.

Run `python -m tools.classification.make_naming`; `--check` writes nothing, and fails unless the shipped file is what
the corpora give. Of `training/about/learn` and `training/about_written` it counts what the questions with a word are
about, and compares that with what all questions are about (the relative entropy, without what is about people or the
asker alone: who may be asked after in any matter, so "they" and 孩子 name none). Counts of a word lean on those of its
class of words, these on the wider classes that hold it.
"""

import sys
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import cache
from math import log
from typing import Final

from liuyao.care.folding import fold
from liuyao.classification.naming import NAMING
from liuyao.classification.words import classes, holding, words_of
from tools.classification.asked_about import asked_about, written

PEOPLE: Final = frozenset(
    {"partner", "child", "other_person", "boss", "parent", "elder", "friend", "sibling", "rival", "self"}
)
"""What questions are about that name nobody's matter by it."""
LEANS: Final = 2.0
"""Questions that the share of a wider class counts as."""
FEWEST: Final = 2
"""Questions with a word that has a number of its own."""
APART: Final = 0.1
"""By how much that number must differ from its class's."""
_ALL: Final = ""


class Counts:
    """What the questions with each word, and each class, are about."""

    def __init__(self, questions: Sequence[tuple[str, str]]) -> None:
        self._counts: Mapping[str, Counter[str]] = defaultdict(Counter)
        self.class_of: dict[str, str | None] = {}
        for text, about in questions:
            found = set(words_of(fold(text)))
            self.class_of.update(found)
            holders = {holder for _, name in found if name for holder in holding(name)}
            for key in {_ALL, *(f"={word}" for word, _ in found), *holders}:
                self._counts[key][about] += 1
        whole = self._counts[_ALL]
        self._prior = {about: count / whole.total() for about, count in sorted(whole.items())}
        self._shares = cache(self._shares_of)

    def number(self, word: str) -> int:
        """Return the questions with a word."""
        return self._counts[f"={word}"].total()

    def tells(self, key: str) -> float:
        """Return how much a class tells, or a word after `=`, in nats."""
        shares = self._shares(key)
        return sum(
            share * log(share / prior)
            for about, prior in self._prior.items()
            if (share := shares[about]) and about not in PEOPLE
        )

    def _shares_of(self, key: str) -> Mapping[str, float]:
        if key == _ALL:
            return self._prior
        wider = self._shares((self.class_of[key[1:]] or _ALL) if key.startswith("=") else key.rpartition(".")[0])
        counts = self._counts[key]
        return {about: (counts[about] + LEANS * share) / (counts.total() + LEANS) for about, share in wider.items()}


def table() -> str:
    """Return the lines of the file: a number in hundredths, and the words and classes that have it."""
    counts = Counts([(question.text, question.about) for question in (*asked_about("learn"), *written())])
    values = {name: counts.tells(name) for name in sorted(classes())}
    for word, name in sorted(counts.class_of.items()):
        told = counts.tells(f"={word}")
        if counts.number(word) >= FEWEST and abs(told - (values[name] if name else 0.0)) >= APART:
            values[word] = told
    lines: defaultdict[int, list[str]] = defaultdict(list)
    for name, value in values.items():
        lines[round(100 * value)].append(name)
    return "".join(f"{value}: {' '.join(names)}\n" for value, names in sorted(lines.items()))


def main(arguments: Sequence[str]) -> None:
    """Write the file; SystemExit if `--check` finds another than the shipped one."""
    made = table()
    if "--check" in arguments:
        if made != NAMING.read_text(encoding="utf-8"):
            raise SystemExit(f"{NAMING.name} is not what these corpora give")
        return
    NAMING.write_text(made, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
