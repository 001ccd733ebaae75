"""Measures how far a text names the matter that it is about: an exam, a flat, a parcel, a cough, and not "it".

Each word tells something about what a question is of, or nothing: 考试 and "visa" are of one matter, 事 and "finally"
of any. `tools/classification/make_naming.py` measures that on questions of which somebody said what they are about, and
stores it by word and by class of words (`naming.txt`), so that it carries over to words that no question has.
"""

from collections.abc import Mapping
from functools import cache
from heapq import nlargest
from pathlib import Path
from typing import Final

from liuyao.care.folding import fold
from liuyao.classification.words import words_of

NAMING: Final = Path(__file__).with_name("naming.txt")
TELLING: Final = 2
"""Words of a text that count: those that tell most."""


def naming(text: str) -> float:
    """Return how much the most telling words of a text say of its matter, in nats; about 0 if it names none."""
    known = _known()
    told = (known.get(word, known.get(name, 0.0) if name else 0.0) for word, name in words_of(fold(text)))
    return sum(value for value in nlargest(TELLING, told) if value > 0)


@cache
def _known() -> Mapping[str, float]:
    """Return what each word and each class tells."""
    found: dict[str, float] = {}
    for line in NAMING.read_text(encoding="utf-8").splitlines():
        value, _, names = line.partition(": ")
        found.update(dict.fromkeys(names.split(), int(value) / 100))
    return found
