"""Weighs what is said against a sentence (CARE-09): it is withheld if all of it together is more than may be.

An uncommon word or a person is no fault by itself: most sentences that have one are harmless. What each check weighs
was learnt from texts of models, with the classifier (`tools/train_review.py`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from liuyao.classification import load
from liuyao.reading import Language
from yarrow_agents.divination.review import attitude, lexicon, manner, persons, stance, times
from yarrow_agents.divination.review.concepts import subjects

_CALMEST: Final = -4.0
"""The alarm below which a sentence gets no calmer: an explanation does not hide what else is said."""
_LOUDEST: Final = 6.0
_MOST: Final = {"words": 3, "persons": 2, "stance": 2, "attitude": 2, "subjects": 2, "times": 2}
"""How many findings of a check count."""


@dataclass(frozen=True, slots=True)
class Findings:
    """What the checks found in a sentence: the words that each of them quotes, and two alarms of the classifier."""

    language: Language
    alarm: float
    clause: float
    """The alarm of the clause with the highest one."""
    is_anchored: bool
    quotes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def values(self) -> dict[str, float]:
        """Return the values that are weighed, by name."""
        english = float(self.language is Language.ENGLISH)
        alarm, clause = (min(max(alarm, _CALMEST), _LOUDEST) for alarm in (self.alarm, self.clause))
        counts = {name: float(min(len(self.quotes.get(name, ())), most)) for name, most in _MOST.items()}
        return {
            "alarm": alarm,
            "clause": clause,
            **counts,
            "anchored": float(self.is_anchored),
            "english": english,
            "english alarm": english * alarm,
            "english words": english * counts["words"],
        }

    def weight(self, weights: Mapping[str, float] | None = None) -> float:
        """Return the log-odds that the sentence must not be shown, less the threshold; a positive one is withheld.

        Training gives its own weights.
        """
        weights = weights or load(manner.MODEL).about["evidence"]
        return weights["bias"] + sum(weights[name] * value for name, value in self.values().items())


@dataclass(frozen=True, slots=True)
class Context:
    """What a sentence is weighed beside: the folded facts and question, and the verdict."""

    language: Language
    known: str
    question: str
    favourable: bool
    careful: bool


def quotes_of(sentence: str, context: Context) -> dict[str, tuple[str, ...]]:
    """Return what each check finds."""
    language, verdict = context.language, {"favourable": context.favourable, "careful": context.careful}
    return {
        "subjects": tuple(subjects(sentence, context.known, context.question)),
        "persons": tuple(persons.claims(sentence, language)),
        "stance": tuple(stance.faults(sentence, **verdict)),
        "attitude": tuple(attitude.faults(sentence, language, **verdict)),
        "words": tuple(lexicon.strange(sentence, language, f"{context.known} {context.question}", context.question)),
        "times": tuple(times.strange(sentence, f"{context.known} {context.question}")),
    }


def findings(sentence: str, context: Context) -> Findings:
    """Return what all checks find in a sentence."""
    alarm, clause = manner.alarms(sentence, manner.allowed(favourable=context.favourable))
    is_anchored = lexicon.is_anchored(sentence, context.language)
    return Findings(context.language, alarm, clause, is_anchored, quotes_of(sentence, context))
