"""The classifier of a model's sentences (CARE-09): whether one explains the cast, or does something it must not do.

A sentence may explain, and say how the matter goes where that agrees with the verdict. Its features are n-grams,
concepts and their pairs. `tools/train_review.py` trains it on sentences of every manner.
"""

import re
from collections.abc import Iterable
from enum import StrEnum
from itertools import combinations
from math import exp, log
from pathlib import Path
from typing import Final
from zlib import crc32

from liuyao.care.classified import script_of
from liuyao.classification import load
from liuyao.classification.features import buckets
from yarrow_agents.divination.review.concepts import names
from yarrow_agents.divination.review.folds import fold

MODEL: Final = Path(__file__).with_name("model.bin")
_CLAUSES: Final = re.compile("[，；：,;:]")
_SHORTEST: Final = {"zh": 5, "en": 16}
"""The fewest characters of a clause that is classified by itself."""
_COPIES: Final = range(4)
"""How many n-grams a concept counts as."""


class Manner(StrEnum):
    ORDINARY = "ordinary"
    """Explains the cast, or advises calm."""
    GOOD = "good"
    """The matter goes well."""
    BAD = "bad"
    """The matter goes ill, or should wait."""
    PROMISE = "promise"
    """Success is certain, or go ahead."""
    DOOM = "doom"
    SELL = "sell"
    """Sells something, or wants to be contacted."""
    MEDICINE = "medicine"
    """Medicine, treatment, a diagnosis, a death."""
    INSULT = "insult"
    FATE = "fate"
    """What somebody is born to: 命, karma, curses."""
    CRIME = "crime"
    """Crime, threats, accusations, stakes."""
    ITSELF = "itself"
    """About the model, or the rules it got."""


def allowed(*, favourable: bool) -> frozenset[str]:
    """Return the manners a verdict allows."""
    return frozenset({Manner.ORDINARY, Manner.GOOD if favourable else Manner.BAD})


def features(text: str, count: int) -> list[int]:
    """Return the distinct buckets of a sentence: its n-grams, concepts, pairs of concepts, and first word."""
    folded = fold(text)
    found = names(folded) or ["none"]
    if "anchor" not in found:
        found.append("adrift")
    first = folded.english.split(maxsplit=1)[0] if folded.english.strip(" ,") else folded.chinese[:1]
    marks = [f"^{first}", *(f"{'=' * copy}{name}" for name in found for copy in _COPIES)]
    marks += [f"{one}&{other}" for one, other in combinations(found, 2)]
    return list({*buckets(text, count), *(crc32(mark.encode()) & (count - 1) for mark in marks)})


def clauses_of(text: str) -> list[str]:
    """Return the clauses that are classified by themselves; none of a sentence that is but one."""
    clauses = [clause for clause in _CLAUSES.split(text) if len(clause.strip()) >= _SHORTEST[script_of(clause)]]
    return clauses if len(clauses) > 1 else []


def alarms(text: str, manners: Iterable[str]) -> tuple[float, float]:
    """Return the log-odds that a sentence, and that its worst clause, does something that is not among the manners.

    A clause about the plate does not hide another one.
    """
    may = frozenset(manners)
    whole = _alarm(text, may)
    return whole, max((_alarm(clause, may) for clause in clauses_of(text)), default=whole)


def _alarm(text: str, may: frozenset[str]) -> float:
    model = load(MODEL)
    scores = model.score_of(features(text, model.count))
    top = max(scores.values())
    good = log(sum(exp(value - top) for label, value in scores.items() if label in may))
    ill = log(sum(exp(value - top) for label, value in scores.items() if label not in may))
    return ill - good
