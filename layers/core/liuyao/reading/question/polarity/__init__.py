"""Whether what a question asks about would be good for the asker (CARE-08).

The expressions of `words_zh` and `words_en` tell it; where they know nothing, a linear classifier (`model.bin`, trained
by `tools/train_polarity.py`) does. Where neither is sure or they contradict each other, the polarity is unknown, and a
reading says neither yes nor no. docs/decisions/yes-or-no.md has the figures.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Final

from liuyao.care.classified import script_of
from liuyao.classification import load
from liuyao.reading.question.asking import Asking
from liuyao.reading.question.polarity import words_en, words_zh
from liuyao.reading.question.polarity.features import buckets
from liuyao.reading.question.text import Text, pattern, read

MODEL: Final = Path(__file__).with_name("model.bin")
EVERYDAY: Final = 0.3
"""The margin above which an everyday event is taken for wished for."""
CONTRADICTS: Final = 1.0
"""The margin above which the classifier makes the polarity unknown that an expression tells."""


class Polarity(StrEnum):
    """What the asker thinks of the event that is asked about."""

    WANTED = "wanted"
    UNWANTED = "unwanted"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Stance:
    """`plain` is whether a yes or no is clear: no negation, no question that suggests its answer.

    `modal` is `can` or `will` where the asking words have one.
    """

    polarity: Polarity = Polarity.UNKNOWN
    plain: bool = True
    modal: str | None = None


UNKNOWN: Final = Stance()


def stance_of(text: Text, asked: Asking, *, everyday: bool = False) -> Stance:
    """The stance of the sentence that asks; of an `everyday` one, where little is at stake, a likely wish is enough."""
    words: ModuleType = words_zh if text.chinese else words_en
    sentence = _stripped(text.folded[slice(*asked.sentence)])
    clause = sentence
    if text.chinese:
        clause = _stripped(text.folded[slice(*asked.clause)])
        if re.search("^(?:对|是)(?:不[对是])?[吧吗]?$", clause):
            # A tag: the clause before it says what is asked.
            clause = sentence
    clear = pattern((words.NEUTRAL,)).sub("", sentence)
    modal = next((name for name, way in words.MODALS if pattern((way,)).search(clause)), None)
    polarity = polarity_of(clause, words)
    if everyday and polarity is Polarity.UNKNOWN and expressed(clause, words) is None:
        likely, margin = likeliest(clause)
        polarity = likely if likely is Polarity.WANTED and margin >= EVERYDAY else polarity
    return Stance(polarity, plain=not pattern((words.HEDGED,)).search(clear), modal=modal)


def polarity_told(words: str) -> Polarity:
    """The polarity of words that need not be a question."""
    text = read(words)
    return polarity_of(text.folded, words_zh if text.chinese else words_en)


def is_leaving(words: str) -> bool:
    """Whether words are of letting go of somebody or something."""
    text = read(words)
    return pattern(((words_zh if text.chinese else words_en).LEAVING,)).search(text.folded) is not None


def polarity_of(clause: str, words: ModuleType) -> Polarity:
    """What the expressions know, unless the classifier contradicts them; else what it is sure of."""
    known, (likely, margin) = expressed(clause, words), likeliest(clause)
    if known is None:
        return classified(clause)
    opposed = Polarity.UNKNOWN not in (known, likely) and known is not likely and margin >= CONTRADICTS
    return Polarity.UNKNOWN if opposed else known


def expressed(clause: str, words: ModuleType) -> Polarity | None:
    """The polarity by the expressions of a language; None if it has none of them."""

    def has(name: str) -> bool:
        return pattern((getattr(words, name),)).search(clause) is not None

    if has("NEGATED"):
        return Polarity.UNKNOWN
    if _of_others(clause, words):
        return Polarity.UNKNOWN
    if has("MENDS"):
        return Polarity.WANTED
    feared = has("FEARED")
    if has("RELIEF") and (feared or has("ILLS") or has("SELF")):
        return Polarity.WANTED
    if has("ILLS") and has("ENDS"):
        rest = pattern((words.ILLS,)).sub("", clause)
        return None if pattern((words.FEARED,)).search(rest) else Polarity.WANTED
    rest = pattern((words.FEARED,)).sub(" ", clause) if feared else clause
    hoped = pattern((words.HOPED,)).search(rest) is not None
    if feared and hoped:
        return None
    return Polarity.UNWANTED if feared else Polarity.WANTED if hoped else None


def _of_others(clause: str, words: ModuleType) -> bool:
    """Whether it is about the fortune of somebody whose good the asker need not wish."""
    if pattern((words.FOR_ASKER,)).search(clause):
        return False
    if outsider := pattern((words.OUTSIDER,)).search(clause):
        return pattern((words.SELF,)).search(clause, outsider.end()) is None
    return pattern((words.THIRD,)).search(clause) is not None and pattern((words.SELF,)).search(clause) is None


def classified(clause: str) -> Polarity:
    """The polarity by the classifier; unknown below its margin, which each script has of its own."""
    likely, margin = likeliest(clause)
    return likely if margin >= load(MODEL).thresholds[script_of(clause)] else Polarity.UNKNOWN


@lru_cache(maxsize=64)
def likeliest(clause: str) -> tuple[Polarity, float]:
    """The likeliest polarity by the classifier, and by how much (in log-odds) it is likelier than the next."""
    model = load(MODEL)
    scores = model.score_of(buckets(clause, model.count))
    ranked = sorted(((score, label) for label, score in scores.items()), reverse=True)
    return Polarity(ranked[0][1]), ranked[0][0] - ranked[1][0]


def _stripped(words: str) -> str:
    return words.strip(" ?？!！。.…~")
