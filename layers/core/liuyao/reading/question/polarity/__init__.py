"""Whether what a question asks about would be good for the asker (CARE-08).

A linear classifier (`model.bin`, trained by `tools/train_polarity.py`) tells it from the words of the event, those told
before it, and what the expressions of `words_zh` and `words_en` find. Where it is not sure, or an expression says that
nobody can know, the polarity is unknown, and a reading says neither yes nor no. docs/decisions/yes-or-no.md has the
figures.
"""

from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Final

from liuyao.care.classified import script_of
from liuyao.classification import load
from liuyao.reading.question.asking import Asking, asking
from liuyao.reading.question.polarity import words_en, words_zh
from liuyao.reading.question.polarity.belongings import becomes
from liuyao.reading.question.polarity.features import Event, buckets
from liuyao.reading.question.polarity.governing import Governed, governed
from liuyao.reading.question.polarity.sides import taken_sides
from liuyao.reading.question.polarity.told_wish import of_others, told_wish
from liuyao.reading.question.text import Text, pattern, read

MODEL: Final = Path(__file__).with_name("model.bin")
SURE: Final = 2.5
"""The margin from which a yes or no stands by itself; below it the answer says what the question is taken for."""
LEANS: Final = 0.5
"""The margin from which the classifier is for what an expression tells, which is wrong as often as right below it."""
CLEARLY_OTHERWISE: Final = 3.0
"""The margin above which the classifier, which reads all words, is heard against a word that governs."""
CLEAR: Final = 2.3
"""The margin from which a polarity is known where no yes or no is asked for: there a wrong one helps nobody."""


class Polarity(StrEnum):
    """What the asker thinks of the event that is asked about."""

    WANTED = "wanted"
    UNWANTED = "unwanted"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Stance:
    """`plain` is whether a yes or no is clear: it repeats nothing that is negated. `sure` is whether the polarity is.

    `modal` is `can` or `will` where the asking words have one.
    """

    polarity: Polarity = Polarity.UNKNOWN
    plain: bool = True
    modal: str | None = None
    sure: bool = False

    def beside(self, opinion: Polarity) -> "Stance":
        """The stance where somebody else who read the question has an opinion: what both say is sure, what they
        contradict each other about is unknown, and an opinion alone is likely.
        """
        if opinion is Polarity.UNKNOWN:
            return self if self.sure else replace(self, polarity=Polarity.UNKNOWN)
        if self.polarity is Polarity.UNKNOWN:
            return replace(self, polarity=opinion, sure=False)
        agree = self.polarity is opinion
        return replace(self, polarity=opinion if agree else Polarity.UNKNOWN, sure=agree)


UNKNOWN: Final = Stance()


def stance_of(text: Text, asked: Asking, *, least: float = 0.0) -> Stance:
    """The stance of the clause that asks; with `least`, of a polarity that has at least that margin."""
    words = _words(text)
    event = event_in(text, asked)
    by = (
        told_wish(text, asked)
        or taken_sides(text, asked)
        or _unless_otherwise(governed(text, asked) or becomes(text, asked), event)
    )
    modal = next((name for name, way in words.MODALS if pattern((way,)).search(event.clause)), None)
    if by is not None:
        polarity = Polarity.UNWANTED if by.is_ill else Polarity.WANTED
        return Stance(polarity, plain=not by.denied and is_plain(event.clause, words), modal=modal, sure=True)
    polarity = Polarity.UNKNOWN if of_others(text, asked) else polarity_of(event, least=least)
    sure = polarity is not Polarity.UNKNOWN and (likeliest(event)[1] >= SURE or _is_own(event, polarity, words))
    return Stance(polarity, plain=is_plain(event.clause, words), modal=modal, sure=sure)


def _unless_otherwise(by: Governed | None, event: Event) -> Governed | None:
    """What a word governs, unless the contrary is far likelier; which classifiers cannot tell of what is denied."""
    if by is None or by.denied or event.told == Polarity.UNKNOWN:
        return by
    contrary = Polarity.WANTED if by.is_ill else Polarity.UNWANTED
    likely, margin = likeliest(event)
    return None if likely is contrary and margin >= CLEARLY_OTHERWISE else by


def event_in(text: Text, asked: Asking) -> Event:
    """What a text asks about, without what suggests an answer: "won't he come" asks what "will he come" does."""
    words = _words(text)
    start, end = asked.clause
    clause = _untagged(text.folded[start:end], words)
    if not clause:
        # Of a tag alone, the clause before it says what is asked.
        start, end = asked.sentence
        clause = _untagged(text.folded[start:end], words)
    before = _stripped(f"{text.folded[:start]} {text.folded[end:]}")
    return Event(clause, before, str(expressed(clause, words) or ""))


def _untagged(clause: str, words: ModuleType) -> str:
    clause = _stripped(clause)
    for plain, way in words.TAGS:
        clause = _stripped(pattern((way,)).sub(plain, clause))
    return clause


def _words(text: Text) -> ModuleType:
    return words_zh if text.chinese else words_en


def is_plain(event: str, words: ModuleType) -> bool:
    """Whether a yes or no would be clear: what it repeats is not negated."""
    clear = pattern((words.NEUTRAL,)).sub("", event)
    return pattern((words.FRAMES,)).search(event) is not None or pattern((words.NEGATIONS,)).search(clear) is None


def polarity_told(words: str) -> Polarity:
    """The polarity of words that need not be a question."""
    text = read(words)
    return polarity_of(event_in(text, asking(text)), least=CLEAR)


def is_leaving(words: str) -> bool:
    """Whether words are of letting go of somebody or something."""
    text = read(words)
    return pattern(((words_zh if text.chinese else words_en).LEAVING,)).search(text.folded) is not None


def polarity_of(event: Event, *, least: float = 0.0) -> Polarity:
    """The likeliest polarity if an expression tells it of the asker's own, else above its script's margin and `least`.

    Expressions are one sign of several, since what is an ill for the asker may be a good where it befalls others. Where
    they find that nobody can know, the polarity is unknown.
    """
    if event.told == Polarity.UNKNOWN:
        return Polarity.UNKNOWN
    likely, margin = likeliest(event)
    words = words_zh if script_of(event.clause) == "zh" else words_en
    threshold = load(MODEL).thresholds[script_of(event.clause)]
    return likely if _is_own(event, likely, words) or margin >= max(least, threshold) else Polarity.UNKNOWN


def _is_own(event: Event, polarity: Polarity, words: ModuleType) -> bool:
    """Whether an expression tells this polarity of what befalls the asker, and the classifier is for it as well."""
    likely, margin = likeliest(event)
    agrees = event.told == likely == polarity and margin >= LEANS
    return agrees and pattern((words.OWN,)).search(event.clause) is not None


@lru_cache(maxsize=64)
def likeliest(event: Event) -> tuple[Polarity, float]:
    """The likeliest polarity by the classifier, and by how much (in log-odds) it is likelier than the next."""
    model = load(MODEL)
    scores = model.score_of(buckets(event, model.count))
    ranked = sorted(((score, label) for label, score in scores.items()), reverse=True)
    return Polarity(ranked[0][1]), ranked[0][0] - ranked[1][0]


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


def _stripped(words: str) -> str:
    return words.strip(" ?？!！。.…~，,、:：")
